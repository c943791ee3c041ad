// Made from api-spec/v1/openapi.yaml by `npm run generate:api`; not edited by hand.

export interface paths {
    readonly "/datasets/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the datasets
         * @description In the order of their names.
         */
        readonly get: operations["list_datasets"];
        readonly put?: never;
        /**
         * Create a dataset
         * @description The dataset is deployed in the background: SCHEDULING, DEPLOYING, then ACTIVE or ERROR.
         *     Poll its details and insert when it is ACTIVE.
         *
         *     Every schema type of the platform is checked and stored by its own rules. This server has rows for CUSTOM only; a dataset of another type ends in ERROR, and its `error_message` says that there is no connector for it here.
         *     Passwords, keys and tokens are stored and never shown.
         */
        readonly post: operations["create_dataset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/datasets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a dataset's configuration
         * @description Names the dataset and the fields that shall change; the others stay, secrets included. null takes a field away, back to its default.
         *     The whole that comes out is checked like a new one. Unless only the description changed, the dataset is deployed anew.
         *
         *     The schema type stays. While a dataset has rows, columns of `column_schema` can be added and neither removed nor retyped.
         */
        readonly patch: operations["edit_dataset"];
        readonly trace?: never;
    };
    readonly "/datasets/{dataset_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example films */
                readonly dataset_name: components["parameters"]["dataset_name"];
            };
            readonly cookie?: never;
        };
        /** Show a dataset */
        readonly get: operations["get_dataset"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a dataset and its rows
         * @description One that a transform reads is kept. Models that were trained on it go on serving.
         */
        readonly delete: operations["delete_dataset"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/datasets/{dataset_name}/insert": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example films */
                readonly dataset_name: components["parameters"]["dataset_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Insert rows
         * @description All rows of a request are stored or none is. An answer of 200 means that they survive a crash and a power cut.
         *     Of rows with equal `unique_keys` the one that was inserted last counts.
         *
         *     A body has at most 16 MiB and 10 seconds to arrive.
         */
        readonly post: operations["insert_rows"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/transforms": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the transforms
         * @description In the order of their names.
         */
        readonly get: operations["list_transforms"];
        readonly put?: never;
        /**
         * Create a transform
         * @description A SQL transform is one SELECT of at most 16 KiB in DataFusion's dialect over datasets and other transforms, read by their names (in double quotes where a name has a dot or a hyphen).
         *     A VIEW is computed wherever it is read. A MATERIALIZED_VIEW keeps its rows: it is BACKFILLING until they are there for the first time, and made again when what it reads has changed (changes are gathered for a moment, and one that takes long rests between) and, if it reads the clock, every hour.
         *
         *     An AI_ENRICHMENT transform writes new columns for each row of a dataset or transform. `enriched_by` in its details says what writes them.
         *
         *     It is made in the background: SCHEDULING, BACKFILLING, then ACTIVE or ERROR. Datasets that it reads must be ACTIVE.
         *     Datasets and transforms share their names: models read a transform by a connector of type Dataset.
         */
        readonly post: operations["create_transform"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/transforms/{transform_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example daily_views */
                readonly transform_name: components["parameters"]["transform_name"];
            };
            readonly cookie?: never;
        };
        /** Show a transform */
        readonly get: operations["get_transform"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a transform and its rows
         * @description One that another transform reads is kept. Models that were trained on it go on serving.
         */
        readonly delete: operations["delete_transform"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a transform's description
         * @description Only the description is applied; other fields are ignored. For another statement, create another transform.
         */
        readonly patch: operations["describe_transform"];
        readonly trace?: never;
    };
    readonly "/models": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the models
         * @description In the order of their names.
         */
        readonly get: operations["list_models"];
        readonly put?: never;
        /**
         * Create a model
         * @description The connected datasets must be ACTIVE, and every fetch statement must plan over them: one SELECT of at most 16 KiB in DataFusion's dialect, reading connectors by their `id`.
         *     Names of tables and columns are case-sensitive.
         *
         *     The model is trained in the background: SCHEDULING, FETCHING, TRAINING, DEPLOYING, then ACTIVE or ERROR.
         *     TUNING is for models that have something to tune; none here has yet.
         */
        readonly post: operations["create_model"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a model and train it anew
         * @description The body is that of a set-up, whole; `model.name` says which model. Only a model that is ACTIVE or in ERROR can be changed.
         *     What was trained before serves until the new version takes its place.
         */
        readonly patch: operations["update_model"];
        readonly trace?: never;
    };
    readonly "/models/{model_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        /**
         * Show a model
         * @description A model that was set up by a body of version v2 is shown as the newer reference says.
         */
        readonly get: operations["get_model"];
        readonly put?: never;
        readonly post?: never;
        /** Delete a model */
        readonly delete: operations["delete_model"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/rank": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        /**
         * Rank items for a user, without a body
         * @description As the POST with these fields; its `config.limit` is `limit` here.
         */
        readonly get: operations["rank_by_query"];
        readonly put?: never;
        /**
         * Rank items for a user
         * @description The best items for a user, of the whole catalogue, of `item_ids`, or of what a text finds.
         *
         *     - Of a user with interactions: by the factors of the model. A user without any is ranked by columns (`user_features`, or those of the model), a stranger gets what is popular now. `interactions` count after the stored ones, oldest first; an interaction that was inserted a moment ago counts at once.
         *     - `item_ids`: all of them come back unless `config.limit` says otherwise. Those that the model does not know are scored by their `item_features`; without these they come last. An item of the catalogue that nobody has taken yet is scored by its columns.
         *     - `text_query`: the items that match, by the order of the text and by that of the user's liking, the former counting twice; without a user by the text alone. Needs a text index.
         *     - Without a limit there are as many results as the model's `slate_size` says.
         *     - What a user has taken is not left out by itself: `fetch.personal_filters` is for that.
         */
        readonly post: operations["rank"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/similar_items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Find similar items
         * @description Items that go to the same people, then items with similar columns. With a `user_id` the order also follows the user's liking, which counts half.
         *     An item that nobody has taken has similar ones by its columns. The item itself is never in the answer.
         */
        readonly post: operations["similar_items"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/similar_users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Find similar users
         * @description By what they take; a user without interactions by columns. `filter_predicate` reads the columns of users.
         *     There is no cold-start pool of users: `exploration_factor` changes nothing here.
         */
        readonly post: operations["similar_users"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/complement_items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Find items that go with others
         * @description What people take who take `item_ids`. Ids that the model does not know are left out; if it knows none of them that is a 404.
         */
        readonly post: operations["complement_items"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/rank_attributes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Rank the values of an attribute for a user
         * @description The values of an item column that a user likes best: brands, genres. A value scores the mean of its ten best items.
         *     A column of texts, whole numbers, booleans, or lists of these. Without a user: what is popular now.
         */
        readonly post: operations["rank_attributes"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/rank_attribute_grid": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Rank the values of an attribute for a user, with items
         * @description A row for each of the best values of an item column, with the best items of that value. An item is in the first row that has it, and nowhere else.
         */
        readonly post: operations["rank_attribute_grid"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/item_embeddings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get the embeddings of items
         * @description In the order of the request. The inner product of an item's vector and a user's of the same `dimension` is the score of the item for the user, nearly so where `dimension` is less than what the model has.
         */
        readonly post: operations["item_embeddings"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/user_embeddings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get the embeddings of users
         * @description In the order of the request, from all interactions that are stored now.
         */
        readonly post: operations["user_embeddings"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/models/{model_name}/retrieve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Retrieve items
         * @description With `text_query`: the items that match any of its words, best first.
         *     A field of `text_index.item_fields` weighs more the earlier it was named: the first twice as much as the last.
         *     A word that no item has matches the nearest known words (one typing error, two from six letters on); the last word also stands for its completions unless a space follows it.
         *     With a `text_index.embedding_field` the search is hybrid: an item's score is that of its words plus the cosine of its vector and that of the text. Items without any word of the text are found too when their vectors are near.
         *
         *     With `user_id_query`: what the retrievers find for the user, ranked as in `rank`; together with a `text_query` what matches, in both orders.
         *
         *     Without either: the items that most people took, scores being their numbers.
         *
         *     Equal scores are in the order of item ids.
         *     A key of scope search suffices for searches by `text_query`; `user_id_query` and `flush_paginations` need the scope admin, because a published key shall not ask after people.
         */
        readonly post: operations["retrieve"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/liveness": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Check whether the server runs */
        readonly get: operations["liveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ping": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Check whether the server answers */
        readonly get: operations["ping"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Name: string;
        /** @description 1 to 128 characters, none of them a control character. */
        readonly ColumnName: string;
        readonly Message: {
            readonly message: string;
        };
        /**
         * @description `ArrayOfString`, `ArrayOfInteger` and `ArrayOfDouble` are taken for `Array(String)`, `Array(Int64)` and `Array(Float64)`, and shown as these.
         *     A DateTime is given as ISO 8601 (without a zone: UTC), or as seconds or milliseconds since 1970. Bytes are base64 text. Json and Unknown take any value.
         *     Every column takes null.
         * @enum {string}
         */
        readonly ColumnType: "String" | "LowCardinality(String)" | "Int32" | "Int64" | "Float" | "Double" | "Bool" | "DateTime" | "Array(String)" | "Array(Int64)" | "Array(Float64)" | "Json" | "Bytes" | "ImageUrl" | "Unknown" | "ArrayOfString" | "ArrayOfInteger" | "ArrayOfDouble";
        /**
         * @description The schema type decides on the other fields. This server reads rows from CUSTOM datasets; a dataset of another type is stored, and its details say that no connector reads it here.
         *     The newer reference adds MSSQL, ICEBERG, DYNAMODB, SHOPIFY, POSTHOG, CLICKHOUSE and KAFKA.
         */
        readonly DatasetConfig: components["schemas"]["CustomDataset"] | components["schemas"]["BigqueryDataset"] | components["schemas"]["MongodbDataset"] | components["schemas"]["SnowflakeDataset"] | components["schemas"]["AwsPinpointDataset"] | components["schemas"]["RedshiftDataset"] | components["schemas"]["PostgresDataset"] | components["schemas"]["MysqlDataset"] | components["schemas"]["MssqlDataset"] | components["schemas"]["AmplitudeDataset"] | components["schemas"]["SegmentDataset"] | components["schemas"]["RudderstackDataset"] | components["schemas"]["IcebergDataset"] | components["schemas"]["DynamodbDataset"] | components["schemas"]["ShopifyDataset"] | components["schemas"]["KinesisDataset"] | components["schemas"]["PosthogDataset"] | components["schemas"]["ClickhouseDataset"] | components["schemas"]["KafkaDataset"];
        readonly BigqueryDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "BIGQUERY";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The table to read. */
            readonly table: string;
            /** @description The columns to read. */
            readonly columns: readonly components["schemas"]["ColumnName"][];
            /** @description The column of times by which rows are read in order. */
            readonly datetime_key: string;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly MongodbDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "MONGODB";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /**
             * Format: password
             * @description With user and password inside.
             */
            readonly mongodb_connection_string: string;
            /** @description The database. */
            readonly database: string;
            /** @description The collection to read. */
            readonly collection: string;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly SnowflakeDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "SNOWFLAKE";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description Organisation and account, joined by a hyphen. */
            readonly account: string;
            /** @description The warehouse that runs the reads. */
            readonly warehouse: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The database. */
            readonly database: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The role to take. */
            readonly role?: string | null;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly AwsPinpointDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "AWS_PINPOINT";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default REALTIME
             * @enum {string|null}
             */
            readonly deployment_type?: "REALTIME" | null;
            /** @description The role to assume. */
            readonly aws_role_arn?: string | null;
            /** @description The region of the source. */
            readonly aws_region?: string | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        readonly CustomDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "CUSTOM";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default CUSTOM
             * @enum {string|null}
             */
            readonly deployment_type?: "CUSTOM" | null;
            /** @description Columns and their types. Without it they are inferred from the rows, and new columns join as they appear. */
            readonly column_schema?: {
                readonly [key: string]: components["schemas"]["ColumnType"];
            } | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        readonly RedshiftDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "REDSHIFT";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The database. */
            readonly database: string;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key: string;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /** @description The port of the server. */
            readonly port: number;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly PostgresDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "POSTGRES";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The database. */
            readonly database: string;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key: string;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /**
             * @description The port of the server.
             * @default 5432
             */
            readonly port?: number | null;
            /** @description A host to go through. */
            readonly ssh_tunnel_host?: string | null;
            /** @description The port of that host. */
            readonly ssh_tunnel_port?: number | null;
            /** @description The user on that host. */
            readonly ssh_tunnel_user?: string | null;
            /**
             * Format: password
             * @description The key of that user.
             */
            readonly ssh_tunnel_private_key?: string | null;
            /**
             * Format: password
             * @description The password of that key.
             */
            readonly ssh_tunnel_private_key_password?: string | null;
            /** @description The certificate that signs the server's, as PEM. */
            readonly ssl_certificate_authority?: string | null;
            /** @description The certificate to show, as PEM. */
            readonly ssl_client_certificate?: string | null;
            /**
             * Format: password
             * @description Its key, as PEM.
             */
            readonly ssl_client_private_key?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly MysqlDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "MYSQL";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The database. */
            readonly database: string;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key: string;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /** @description The port of the server. */
            readonly port: number;
            /** @description A host to go through. */
            readonly ssh_tunnel_host?: string | null;
            /** @description The port of that host. */
            readonly ssh_tunnel_port?: number | null;
            /** @description The user on that host. */
            readonly ssh_tunnel_user?: string | null;
            /**
             * Format: password
             * @description The key of that user.
             */
            readonly ssh_tunnel_private_key?: string | null;
            /**
             * Format: password
             * @description The password of that key.
             */
            readonly ssh_tunnel_private_key_password?: string | null;
            /** @description The certificate that signs the server's, as PEM. */
            readonly ssl_certificate_authority?: string | null;
            /** @description The certificate to show, as PEM. */
            readonly ssl_client_certificate?: string | null;
            /**
             * Format: password
             * @description Its key, as PEM.
             */
            readonly ssl_client_private_key?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly MssqlDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "MSSQL";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The database. */
            readonly database: string;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key: string;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /**
             * @description The port of the server.
             * @default 1433
             */
            readonly port?: number | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly AmplitudeDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "AMPLITUDE";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | "REALTIME" | null;
            /**
             * Format: password
             * @description The key of the project.
             */
            readonly api_key?: string | null;
            /**
             * Format: password
             * @description The secret that belongs to the key.
             */
            readonly secret_key?: string | null;
            /** @description Read nothing older: a day or a moment in ISO 8601. */
            readonly start_date?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly SegmentDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "SEGMENT";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default REALTIME
             * @enum {string|null}
             */
            readonly deployment_type?: "REALTIME" | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        readonly RudderstackDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "RUDDERSTACK";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default REALTIME
             * @enum {string|null}
             */
            readonly deployment_type?: "REALTIME" | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        readonly IcebergDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "ICEBERG";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The kind of catalogue. */
            readonly catalog_type: string;
            /** @description The catalogue. */
            readonly catalog_name: string;
            /** @description The table in the catalogue. */
            readonly table_name: string;
            /** @description Where the files are. */
            readonly s3_path?: string | null;
            /** @description The format of the files. */
            readonly s3_format?: string | null;
            /** @description The role to assume. */
            readonly aws_role_arn?: string | null;
            /** @description The region of the source. */
            readonly aws_region?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly DynamodbDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "DYNAMODB";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The table to read. */
            readonly table: string;
            /** @description The role to assume. */
            readonly aws_role_arn: string;
            /** @description The region of the source. */
            readonly aws_region: string;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @once
             */
            readonly schedule_interval?: string | null;
            /** @description Where the files are. */
            readonly s3_path?: string | null;
            /** @description The format of the files. */
            readonly s3_format?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
        };
        readonly ShopifyDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "SHOPIFY";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /**
             * Format: password
             * @description The token to sign in with.
             */
            readonly access_token: string;
            /** @description The name of the store. */
            readonly store: string;
            /** @description What to read of the store. */
            readonly stream: string;
            /** @description Read nothing older: a day or a moment in ISO 8601. */
            readonly start_date?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly KinesisDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "KINESIS";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default REALTIME
             * @enum {string|null}
             */
            readonly deployment_type?: "REALTIME" | null;
            /** @description Columns and their types. Without it they are inferred from the rows, and new columns join as they appear. */
            readonly column_schema?: {
                readonly [key: string]: components["schemas"]["ColumnType"];
            } | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        readonly PosthogDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "POSTHOG";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host?: string | null;
            /**
             * Format: password
             * @description The token to sign in with.
             */
            readonly access_token?: string | null;
            /** @description Read nothing older: a day or a moment in ISO 8601. */
            readonly start_date?: string | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key?: string | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly ClickhouseDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "CLICKHOUSE";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default MELTANO_SYNC
             * @enum {string|null}
             */
            readonly deployment_type?: "MELTANO_SYNC" | null;
            /** @description The server. */
            readonly host: string;
            /** @description The user to sign in as. */
            readonly user: string;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password: string;
            /** @description The table to read. */
            readonly table: string;
            /** @description The database. */
            readonly database: string;
            /** @description A column that only grows; a run reads the rows beyond the last one seen. */
            readonly replication_key: string;
            /** @description The schema of the table inside the database. */
            readonly database_schema?: string | null;
            /**
             * @description The port of the server.
             * @default 8123
             */
            readonly port?: number | null;
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description Rows to read at a time. */
            readonly batch_size?: number | null;
            /**
             * @description `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
             * @default @hourly
             */
            readonly schedule_interval?: string | null;
        };
        readonly KafkaDataset: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly schema_type: "KAFKA";
            /** @description A note for people. */
            readonly description?: string | null;
            /**
             * @description How rows arrive.
             * @default REALTIME
             * @enum {string|null}
             */
            readonly deployment_type?: "REALTIME" | null;
            /** @description The topic to read. */
            readonly topic: string;
            /** @description Host and port of a broker. */
            readonly bootstrap_server: string;
            /** @description The user to sign in as. */
            readonly username?: string | null;
            /**
             * Format: password
             * @description The password of that user.
             */
            readonly password?: string | null;
            /** @description Columns that identify a row together. Of rows with equal keys the one that came last counts. */
            readonly unique_keys?: readonly components["schemas"]["ColumnName"][] | null;
        };
        /** @description Fields of the dataset's schema type that shall change; null takes a field away. */
        readonly DatasetEdit: {
            readonly name: components["schemas"]["Name"];
            /** @description May be there and cannot change. */
            readonly schema_type?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description A deletion makes a dataset DESTROYING until its rows are gone. INACTIVE is for sources that are paused; nothing here pauses one.
         * @enum {string}
         */
        readonly DatasetStatus: "SCHEDULING" | "DEPLOYING" | "ACTIVE" | "INACTIVE" | "DESTROYING" | "ERROR";
        readonly DatasetSummary: {
            readonly dataset_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly dataset_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly schema_type: string;
            readonly status: components["schemas"]["DatasetStatus"];
            readonly description: string | null;
        };
        readonly DatasetList: {
            readonly datasets: readonly components["schemas"]["DatasetSummary"][];
        };
        readonly Columns: {
            readonly [key: string]: components["schemas"]["ColumnType"];
        };
        readonly DatasetDetails: {
            readonly name: components["schemas"]["Name"];
            readonly dataset_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly dataset_uri: string;
            readonly schema_type: string;
            readonly dataset_schema: components["schemas"]["Columns"];
            /** @description The other fields of the configuration, with their defaults; no secrets. */
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly kinesis_stream_arn: string | null;
            readonly kinesis_iam_role_arn: string | null;
            readonly status: components["schemas"]["DatasetStatus"];
            readonly description: string | null;
            /** @description Why the status is ERROR. */
            readonly error_message: string | null;
            readonly warning_message: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Insert: {
            readonly data: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        readonly Transform: components["schemas"]["SqlTransform"] | components["schemas"]["EnrichmentTransform"];
        readonly SqlTransform: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly transform_type: "SQL";
            /** @description One SELECT over datasets and transforms. */
            readonly sql_query: string;
            /**
             * @description Whether the rows are computed wherever they are read, or kept.
             * @default VIEW
             * @enum {string|null}
             */
            readonly sql_transform_type?: "VIEW" | "MATERIALIZED_VIEW" | null;
            /** @description A note for people. */
            readonly description?: string | null;
        };
        readonly EnrichmentTransform: {
            readonly name: components["schemas"]["Name"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly transform_type: "AI_ENRICHMENT";
            /** @description The dataset or transform whose rows are enriched. */
            readonly source_dataset: string;
            /** @description The columns that the provider reads. */
            readonly source_columns: readonly components["schemas"]["ColumnName"][];
            /** @description The columns of the source that the result has, too. */
            readonly source_columns_in_output?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description The columns that the provider writes, all of type String. */
            readonly enriched_output_columns: readonly components["schemas"]["ColumnName"][];
            /** @description What to write into them. */
            readonly prompt: string;
            /** @description A note for people. */
            readonly description?: string | null;
        };
        readonly TransformUpdate: {
            /** @description A note for people. */
            readonly description?: string | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description BACKFILLING is the first making of rows. A deletion makes a transform DESTROYING until its rows are gone. INACTIVE is for transforms that are paused; nothing here pauses one.
         * @enum {string}
         */
        readonly TransformStatus: "ACTIVE" | "SCHEDULING" | "BACKFILLING" | "DESTROYING" | "INACTIVE" | "ERROR";
        readonly TransformView: {
            readonly transform_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly transform_uri: string;
            readonly status: components["schemas"]["TransformStatus"];
            /** Format: date-time */
            readonly created_at: string;
            readonly transform_schema: components["schemas"]["Columns"];
            /** @description The datasets and transforms that it reads itself. */
            readonly source_datasets_names: readonly components["schemas"]["Name"][];
            readonly description: string | null;
            /** @description Why the status is ERROR; in an ACTIVE transform, why its last refresh failed while the rows of the one before are served. */
            readonly error_message: string | null;
            /** @enum {string} */
            readonly transform_type: "SQL" | "AI_ENRICHMENT";
            /**
             * @description Of SQL transforms.
             * @enum {string}
             */
            readonly sql_transform_type?: "VIEW" | "MATERIALIZED_VIEW";
            /** @description Of SQL transforms. */
            readonly sql_query?: string;
            /** @description Of AI_ENRICHMENT transforms: what writes the columns. */
            readonly enriched_by?: string;
            /**
             * Format: date-time
             * @description When the rows were last made; of a view, when it was last checked.
             */
            readonly refreshed_at: string | null;
        };
        readonly TransformList: {
            readonly transforms: readonly components["schemas"]["TransformView"][];
        };
        /** @description Rows that the fetch statements read, of a dataset (`name`) or of files (`path`). */
        readonly Connector: {
            /** @enum {string} */
            readonly type: "Dataset" | "File";
            /** @description The name of the table in SQL. */
            readonly id: string;
            /** @description The dataset or transform; for type Dataset. */
            readonly name?: string | null;
            /**
             * @description For type File: a file or folder below the folder that the server was started with (`--files-dir`), relative to it.
             *     Endings: .csv and .tsv (the first line names the columns), .ndjson and .jsonl (one object a line), .parquet.
             *     `%Y`, `%m` and `%d` stand for the year, month and day of today (UTC) and, with day_lookback, of the days before; days without a file are passed over.
             */
            readonly path?: string | {
                readonly path: string;
                /**
                 * @description Days before today that are read as well; the path must then have the day in it.
                 * @default 0
                 */
                readonly day_lookback?: number | null;
            } | null;
        };
        readonly Fetch: {
            /** @description Selects user_id, item_id, label, created_at; other columns are features. */
            readonly events: string;
            /** @description Selects item_id; without it the items are those of the events. */
            readonly items?: string | null;
            /** @description Selects user_id. */
            readonly users?: string | null;
            /** @description Selects item_id: items that no answer shows. */
            readonly global_filters?: string | null;
            /** @description Selects user_id and item_id: items that answers to this user do not show. */
            readonly personal_filters?: string | null;
        };
        readonly Model: {
            readonly name: components["schemas"]["Name"];
            readonly description?: string | null;
            /**
             * @description How many results an answer has when neither the request nor the inference_config has a limit.
             * @default 50
             */
            readonly slate_size?: number | null;
            /**
             * @description For so many seconds, what was served to a user is left out of later answers; 0 is off.
             * @default 0
             */
            readonly pagination_store_ttl?: number | null;
            /**
             * @description When the model is trained again: `@once` (only when it is set up or changed), `@hourly`, `@daily`, `@weekly` (counted from the last training), or a cron expression in UTC: minute, hour, day of the month, month, day of the week.
             *     What was trained before serves until the new version takes its place, and when the training fails.
             * @default @once
             * @example @once
             * @example @daily
             * @example 30 4 * * mon-fri
             */
            readonly train_schedule?: string | null;
            readonly inference_config?: components["schemas"]["InferenceConfig"] | null;
            readonly text_index?: components["schemas"]["TextIndex"] | null;
        };
        /** @description What text queries search. */
        readonly TextIndex: {
            /**
             * @description Columns of fetch.items with texts, the most important first.
             *     A column of a few words (a title, a heading) also counts by how much of it is in the query.
             */
            readonly item_fields: readonly string[];
            /**
             * @description Column of fetch.items with the items' vectors: lists of finite numbers, `Array(Float64)`, of the length that the server's text encoder makes.
             *     Null for an item without a vector, which is found by its words only.
             *     Needs a server with a text encoder (`platform-sim --text-encoder FILE`); without one it is a 422 `no_text_encoder`.
             *     The vectors must come from the embedding that the encoder's table belongs to: others compare without an error and without a meaning.
             *     A vector of another length, or one that is not all finite numbers, ends the training in ERROR with the item's id.
             *     The column is left out of the metadata of answers.
             */
            readonly embedding_field?: string | null;
        };
        /** @description How an answer is put together. A field that a request leaves out is that of the model's `inference_config`, else the default. */
        readonly InferenceConfig: {
            /**
             * @description Share of the places that goes to the items with the fewest interactions.
             * @default 0
             */
            readonly exploration_factor?: number | null;
            /**
             * @description How much likeness to the places before counts against an item (maximal marginal relevance).
             * @default 0
             */
            readonly diversity_factor?: number | null;
            /**
             * @description Share of the places that items whose column `boost` is 1 hold at least, counted from the top; 1 puts them all first.
             * @default 0
             */
            readonly boosting_factor?: number | null;
            /**
             * @description Columns of texts, whole numbers, booleans, or lists of these, in which items are compared. Without any, items are alike that go to the same people.
             *     In a request an unknown column is a 422; in the model's own configuration it is left out.
             */
            readonly diversity_attributes?: readonly string[] | null;
            /**
             * @description So many places before one are compared with it, and no item moves up by more than this.
             * @default 30
             */
            readonly diversity_window?: number | null;
            /**
             * @description Candidates of each retriever that has no number of its own.
             * @default 300
             */
            readonly retrieval_k?: number | null;
            readonly retriever_k_override?: components["schemas"]["RetrieverK"] | null;
            /** @description How many results. Without it the slate_size of the model; 100 in retrieve; all of item_ids in a ranking of these. */
            readonly limit?: number | null;
        };
        /** @description Candidates of single retrievers. What they find is united, then ranked. */
        readonly RetrieverK: {
            /**
             * @description The items nearest to the user.
             * @default 300
             */
            readonly knn?: number | null;
            /**
             * @description The newest items.
             * @default 300
             */
            readonly chronological?: number | null;
            /**
             * @description The items that most people took.
             * @default 300
             */
            readonly toplist?: number | null;
            /**
             * @description The items that most people took lately.
             * @default 300
             */
            readonly trending?: number | null;
            /**
             * @description Any items.
             * @default 0
             */
            readonly random?: number | null;
            /**
             * @description The items with the fewest interactions.
             * @default 50
             */
            readonly cold_start?: number | null;
        };
        readonly ModelSetup: {
            readonly model: components["schemas"]["Model"];
            readonly connectors: readonly components["schemas"]["Connector"][];
            readonly fetch: components["schemas"]["Fetch"];
        };
        readonly ModelCreated: {
            /** Format: uri */
            readonly model_url: string;
        };
        /** @enum {string} */
        readonly ModelStatus: "SCHEDULING" | "FETCHING" | "TUNING" | "TRAINING" | "DEPLOYING" | "ACTIVE" | "ERROR";
        readonly ModelSummary: {
            readonly model_name: components["schemas"]["Name"];
            readonly description: string | null;
            /** Format: uri */
            readonly model_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly trained_at: string | null;
            readonly status: components["schemas"]["ModelStatus"];
        };
        readonly ModelList: {
            readonly models: readonly components["schemas"]["ModelSummary"][];
        };
        readonly ModelView: {
            readonly model_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly model_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly trained_at: string | null;
            readonly status: components["schemas"]["ModelStatus"];
            readonly fetch: components["schemas"]["Fetch"];
            /** @description The columns that each statement gives. */
            readonly schema: {
                readonly events: components["schemas"]["Columns"];
                readonly items: components["schemas"]["Columns"];
                readonly users: components["schemas"]["Columns"];
                readonly features?: components["schemas"]["ModelFeatures"];
            };
            /** @description Why the status is ERROR; absent otherwise. A model that was trained before goes on serving. */
            readonly error_message?: string;
        };
        /** @description The details of version 2; its reference has the fields. */
        readonly NewerModel: {
            readonly model_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly model_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly trained_at: string | null;
            readonly status: components["schemas"]["ModelStatus"];
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly model_schema: {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /** @description What the columns mean, found out from their values; there once the model was trained. */
        readonly ModelFeatures: {
            readonly interaction: components["schemas"]["FeatureTypes"];
            readonly item: components["schemas"]["FeatureTypes"];
            readonly user: components["schemas"]["FeatureTypes"];
            /**
             * @description Binary when every label is 0 or 1.
             * @enum {string}
             */
            readonly label: "BinaryLabel" | "RatingLabel";
        };
        /** @description Feature types by column. */
        readonly FeatureTypes: {
            readonly [key: string]: "Id" | "Unknown" | "Timestamp" | "Category" | "TextCategory" | "LowCardinalityCategory" | "Binary" | "Boolean" | "Numerical" | "Sequence(Numerical)" | "Sequence(Category)" | "Set(Category)" | "Url" | "Text" | "Vector" | "Image" | "Audio" | "Video";
        };
        readonly RankRequest: {
            readonly user_id?: string | null;
            readonly item_ids?: readonly string[] | null;
            /** @description What the user did in this session, oldest first. Items that the model does not know count if item_features describes them. */
            readonly interactions?: readonly components["schemas"]["SessionInteraction"][] | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for passes. */
            readonly filter_predicate?: string | null;
            /** @description Columns of the user; they stand before those that the model has. Columns that the model does not know are left out. */
            readonly user_features?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Columns of items that the model may not know, each a list of equal length; item_id is required. For items that the model knows its own columns stand. */
            readonly item_features?: {
                readonly [key: string]: readonly unknown[];
            } | null;
            /** @description Needs a text_index. */
            readonly text_query?: string | null;
            /**
             * @description Forget what the user was shown. Matters for models with a pagination_store_ttl.
             * @default false
             */
            readonly flush_paginations?: boolean | null;
            /** @default false */
            readonly return_metadata?: boolean | null;
            readonly config?: components["schemas"]["InferenceConfig"] | null;
        };
        readonly SessionInteraction: {
            readonly item_id: string;
        };
        readonly RetrieveRequest: {
            /** @description For whom. */
            readonly user_id_query?: string | null;
            /** @description Needs a text_index. Matched by words, and by meaning where the text_index has an embedding_field. */
            readonly text_query?: string | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for passes. */
            readonly filter_predicate?: string | null;
            /**
             * @description Forget what the user was shown. Matters for models with a pagination_store_ttl.
             * @default false
             */
            readonly flush_paginations?: boolean | null;
            /** @default false */
            readonly return_metadata?: boolean | null;
            readonly config?: components["schemas"]["InferenceConfig"] | null;
        };
        readonly RetrieveResponse: {
            readonly ids: readonly string[];
            readonly scores: readonly number[];
            /** @description The item's columns without the `embedding_field`; only with return_metadata. */
            readonly metadata?: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        readonly SimilarItemsRequest: {
            readonly item_id: string;
            readonly user_id?: string | null;
            /** @default false */
            readonly return_metadata?: boolean | null;
            /**
             * @description Forget what the user was shown. Matters for models with a pagination_store_ttl.
             * @default false
             */
            readonly flush_paginations?: boolean | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for passes. */
            readonly filter_predicate?: string | null;
            readonly config?: components["schemas"]["InferenceConfig"] | null;
        };
        readonly SimilarUsersRequest: {
            readonly user_id: string;
            /** @default false */
            readonly return_metadata?: boolean | null;
            /**
             * @description Forget what the user was shown. Matters for models with a pagination_store_ttl.
             * @default false
             */
            readonly flush_paginations?: boolean | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for passes. */
            readonly filter_predicate?: string | null;
            readonly config?: components["schemas"]["InferenceConfig"] | null;
        };
        readonly ComplementItemsRequest: {
            readonly item_ids: readonly string[];
            readonly user_id?: string | null;
            /** @default false */
            readonly return_metadata?: boolean | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for passes. */
            readonly filter_predicate?: string | null;
            readonly config?: components["schemas"]["InferenceConfig"] | null;
        };
        readonly SimilarResponse: {
            readonly ids: readonly string[];
            /** @description The columns of each; only with return_metadata. */
            readonly metadata?: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        readonly RankAttributesRequest: {
            readonly attribute_name: string;
            readonly user_id?: string | null;
            /** @default 10 */
            readonly limit?: number | null;
        };
        readonly RankAttributesResponse: {
            readonly attributes: readonly string[];
            readonly scores: readonly number[];
        };
        readonly AttributeGridRequest: {
            readonly attribute_name: string;
            readonly user_id?: string | null;
            /** @default 10 */
            readonly row_limit?: number | null;
            /** @default 10 */
            readonly col_limit?: number | null;
        };
        readonly AttributeGridResponse: {
            readonly id_grid: readonly (readonly string[])[];
            readonly scoregrid: readonly (readonly number[])[];
            readonly attributes: readonly string[];
        };
        readonly ItemEmbeddingsRequest: {
            readonly item_ids: readonly string[];
            /** @description Numbers in a vector, at most as many as the model has; without it all of these. */
            readonly dimension?: number | null;
        };
        readonly UserEmbeddingsRequest: {
            readonly user_ids: readonly string[];
            /** @description Numbers in a vector, at most as many as the model has; without it all of these. */
            readonly dimension?: number | null;
        };
        readonly EmbeddingsResponse: {
            readonly embeddings: readonly (readonly number[])[];
        };
        readonly Problem: {
            readonly status: number;
            readonly title: string;
            readonly detail: string;
            /** @description A stable name for programs. */
            readonly type: string;
            /** @description The path of the request, `#`, and the id that the answer and the log have as x-request-id. */
            readonly instance: string;
        };
        readonly ValidationError: {
            readonly detail: readonly {
                /** @description The way to the wrong place; `body`, `path` or `header`, then names and positions. */
                readonly loc: readonly (string | number)[];
                /** @description What is wrong and how to mend it. */
                readonly msg: string;
                /** @description A stable name for programs. */
                readonly type: string;
            }[];
        };
    };
    responses: {
        /** @description The body broke off or does not have the announced length. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "title": "Bad request",
                 *       "detail": "the body broke off or does not have the announced length",
                 *       "type": "urn:siftwren:error:bad-request",
                 *       "instance": "/v1/datasets/#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key has the right form and nobody was given it. */
        readonly UnknownKey: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "title": "Unknown API key",
                 *       "detail": "no such API key exists on this server",
                 *       "type": "urn:siftwren:error:unknown-key",
                 *       "instance": "/v1/models#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key's scope does not cover this. */
        readonly WrongScope: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "title": "The API key may not do this",
                 *       "detail": "this key has the scope search: it may only retrieve from models; use a key with the scope admin",
                 *       "type": "urn:siftwren:error:wrong-scope",
                 *       "instance": "/v1/models#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no dataset of that name. */
        readonly DatasetNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no dataset 'films'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/datasets/films#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no transform of that name. */
        readonly TransformNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no transform 'daily_views'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/transforms/daily_views#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Transforms read it; `detail` names them. */
        readonly InUse: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "title": "In use",
                 *       "detail": "the dataset 'events' is read by the transform 'daily_views'; delete that transform first",
                 *       "type": "urn:siftwren:error:in-use",
                 *       "instance": "/v1/datasets/events#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no model of that name. */
        readonly ModelNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no model 'film_search'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/models/film_search#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The model is not ACTIVE, or the body broke off. */
        readonly ModelNotActive: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "title": "Not active",
                 *       "detail": "the model 'shop' is TRAINING, not ACTIVE; wait until it is ACTIVE",
                 *       "type": "urn:siftwren:error:not-active",
                 *       "instance": "/v1/models/shop/rank#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no model of that name, or the model knows no such item. */
        readonly ItemNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no item 'sku-0'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/models/shop/similar_items#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no model of that name, or nothing is known of the user. */
        readonly UserNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no user 'u-0'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/models/shop/similar_users#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is wrong; each entry says where. */
        readonly WrongInference: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": [
                 *         {
                 *           "loc": [
                 *             "body",
                 *             "filter_predicate"
                 *           ],
                 *           "msg": "there is no column 'prise' (at byte 0, 5 long): did you mean 'price'?",
                 *           "type": "expression_unknown_name"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The body did not arrive within 10 seconds. */
        readonly SlowBody: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 408,
                 *       "title": "The request's body took too long",
                 *       "detail": "the body did not arrive within 10 s",
                 *       "type": "urn:siftwren:error:slow-body",
                 *       "instance": "/v1/datasets/films/insert#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body has more than 16 MiB. */
        readonly BodyTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "title": "The request's body is too large",
                 *       "detail": "a body has at most 16777216 bytes; send fewer rows at a time",
                 *       "type": "urn:siftwren:error:body-too-large",
                 *       "instance": "/v1/datasets/films/insert#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is missing or does not have 40 characters, or a name in the path is not one. */
        readonly WrongKey: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": [
                 *         {
                 *           "loc": [
                 *             "header",
                 *             "x-api-key"
                 *           ],
                 *           "msg": "the header x-api-key is required",
                 *           "type": "missing"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A fault of the server. */
        readonly Internal: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 500,
                 *       "title": "Internal error",
                 *       "detail": "the server failed to answer; its log has the cause under this request's x-request-id",
                 *       "type": "urn:siftwren:error:internal",
                 *       "instance": "/v1/models#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This caller asks too much at once; `retry-after` says when to come back. */
        readonly TooManyRequests: {
            headers: {
                readonly "retry-after": components["headers"]["retry_after"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 429,
                 *       "title": "Too many requests",
                 *       "detail": "this key has too many requests under way; wait for answers before you send more",
                 *       "type": "urn:siftwren:error:too-many-requests",
                 *       "instance": "/v1/models#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server, or the part of it that does this work, has too much to do; `retry-after` says when to come back. */
        readonly Busy: {
            headers: {
                readonly "retry-after": components["headers"]["retry_after"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 503,
                 *       "title": "Busy",
                 *       "detail": "other statements are being checked or run; try again in a few seconds",
                 *       "type": "urn:siftwren:error:busy",
                 *       "instance": "/v1/models#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server's disk is full; nothing of the request was stored. */
        readonly StorageFull: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 507,
                 *       "title": "No space left",
                 *       "detail": "the server's disk is full; nothing of this request was stored",
                 *       "type": "urn:siftwren:error:storage-full",
                 *       "instance": "/v1/datasets/films/insert#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @example films */
        readonly dataset_name: components["schemas"]["Name"];
        /** @example daily_views */
        readonly transform_name: components["schemas"]["Name"];
        /** @example film_search */
        readonly model_name: components["schemas"]["Name"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Seconds to wait.
         * @example 5
         */
        readonly retry_after: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly list_datasets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All datasets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datasets": [
                     *         {
                     *           "dataset_name": "films",
                     *           "dataset_uri": "http://127.0.0.1:8787/v1/datasets/films",
                     *           "created_at": "2026-01-31T12:00:00.000000Z",
                     *           "schema_type": "CUSTOM",
                     *           "status": "ACTIVE",
                     *           "description": "What people watch"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DatasetList"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly create_dataset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DatasetConfig"];
            };
        };
        readonly responses: {
            /** @description The dataset is being deployed. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "dataset 'films' is being deployed; insert rows when its status is ACTIVE"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 408: components["responses"]["SlowBody"];
            /** @description A dataset or transform of that name exists. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 409,
                     *       "title": "Already exists",
                     *       "detail": "a dataset 'films' exists; choose another name or delete that dataset first",
                     *       "type": "urn:siftwren:error:already-exists",
                     *       "instance": "/v1/datasets/#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "column_schema",
                     *             "year"
                     *           ],
                     *           "msg": "a column's type is one of String, LowCardinality(String), Int32, Int64, Float, Double, Bool, DateTime, Array(String), Array(Int64), Array(Float64), Json, Bytes, ImageUrl, Unknown",
                     *           "type": "unknown_value"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly edit_dataset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DatasetEdit"];
            };
        };
        readonly responses: {
            /** @description It is changed. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "dataset 'orders' is changed"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "column_schema",
                     *             "year"
                     *           ],
                     *           "msg": "the column 'year' has another type, and stored rows have it as Int32; columns can be added while there are rows",
                     *           "type": "column_in_use"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly get_dataset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example films */
                readonly dataset_name: components["parameters"]["dataset_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The dataset. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "films",
                     *       "dataset_name": "films",
                     *       "dataset_uri": "http://127.0.0.1:8787/v1/datasets/films",
                     *       "schema_type": "CUSTOM",
                     *       "dataset_schema": {
                     *         "item_id": "String",
                     *         "title": "String",
                     *         "year": "Int32"
                     *       },
                     *       "config": {
                     *         "deployment_type": "CUSTOM",
                     *         "unique_keys": [
                     *           "item_id"
                     *         ]
                     *       },
                     *       "kinesis_stream_arn": null,
                     *       "kinesis_iam_role_arn": null,
                     *       "status": "ACTIVE",
                     *       "description": "What people watch",
                     *       "error_message": null,
                     *       "warning_message": null,
                     *       "created_at": "2026-01-31T12:00:00.000000Z",
                     *       "updated_at": "2026-01-31T12:00:00.000000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DatasetDetails"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly delete_dataset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example films */
                readonly dataset_name: components["parameters"]["dataset_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "dataset 'films' is deleted"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 409: components["responses"]["InUse"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly insert_rows: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example films */
                readonly dataset_name: components["parameters"]["dataset_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "item_id": "m1",
                 *           "title": "The Third Man",
                 *           "year": 1949,
                 *           "tags": [
                 *             "noir"
                 *           ],
                 *           "added_at": "2026-01-31T12:00:00Z"
                 *         },
                 *         {
                 *           "item_id": "m2",
                 *           "title": "Metropolis",
                 *           "year": 1927,
                 *           "tags": [
                 *             "silent",
                 *             "city"
                 *           ],
                 *           "added_at": 1769860800
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["Insert"];
            };
        };
        readonly responses: {
            /** @description The rows are stored. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "inserted 2 rows into dataset 'films'"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The dataset is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'films' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/datasets/films/insert#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description Rows do not fit the dataset; at most 20 places are listed, and nothing is stored. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "data",
                     *             1,
                     *             "year"
                     *           ],
                     *           "msg": "column 'year' is Int32: it takes a whole number of 32 bits, not \"1927\"",
                     *           "type": "wrong_type"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly list_transforms: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All transforms. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transforms": [
                     *         {
                     *           "transform_name": "recent",
                     *           "transform_uri": "http://127.0.0.1:8787/v1/transforms/recent",
                     *           "status": "ACTIVE",
                     *           "created_at": "2026-01-31T12:00:00.000000Z",
                     *           "transform_schema": {
                     *             "item_id": "String",
                     *             "created_at": "DateTime"
                     *           },
                     *           "source_datasets_names": [
                     *             "events"
                     *           ],
                     *           "description": null,
                     *           "error_message": null,
                     *           "transform_type": "SQL",
                     *           "sql_transform_type": "VIEW",
                     *           "sql_query": "SELECT item_id, created_at FROM events",
                     *           "refreshed_at": "2026-01-31T12:00:00.000000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TransformList"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly create_transform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Transform"];
            };
        };
        readonly responses: {
            /** @description The transform is being made. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "transform 'daily_views' is being made; it can be read when its status is ACTIVE"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Something that it reads is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'events' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/transforms#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            /** @description A transform or dataset of that name exists. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 409,
                     *       "title": "Already exists",
                     *       "detail": "a transform 'daily_views' exists; choose another name or delete that transform first",
                     *       "type": "urn:siftwren:error:already-exists",
                     *       "instance": "/v1/transforms#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. A statement that reads the transform itself is of type `cycle`. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly get_transform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example daily_views */
                readonly transform_name: components["parameters"]["transform_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The transform. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransformView"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["TransformNotFound"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly delete_transform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example daily_views */
                readonly transform_name: components["parameters"]["transform_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "transform 'daily_views' is deleted"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["TransformNotFound"];
            readonly 409: components["responses"]["InUse"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly describe_transform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example daily_views */
                readonly transform_name: components["parameters"]["transform_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "description": "Views by day"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TransformUpdate"];
            };
        };
        readonly responses: {
            /** @description It is changed. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "transform 'daily_views' has another description"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["TransformNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The description is not a string. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "description"
                     *           ],
                     *           "msg": "description is a string",
                     *           "type": "wrong_type"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly list_models: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All models. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         {
                     *           "model_name": "film_search",
                     *           "description": "Films by their words",
                     *           "model_uri": "http://127.0.0.1:8787/v1/models/film_search",
                     *           "created_at": "2026-01-31T12:00:00.000000Z",
                     *           "trained_at": "2026-01-31T12:00:01.000000Z",
                     *           "status": "ACTIVE"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelList"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly create_model: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ModelSetup"];
            };
        };
        readonly responses: {
            /** @description The model is being trained. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model_url": "http://127.0.0.1:8787/v1/models/film_search"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelCreated"];
                };
            };
            /** @description A connected dataset is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'films' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["DatasetNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            /** @description A model of that name exists. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 409,
                     *       "title": "Already exists",
                     *       "detail": "a model 'film_search' exists; choose another name or delete that model first",
                     *       "type": "urn:siftwren:error:already-exists",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "fetch",
                     *             "items"
                     *           ],
                     *           "msg": "the statement must select item_id; missing: item_id",
                     *           "type": "missing_column"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly update_model: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "model": {
                 *         "name": "film_search",
                 *         "train_schedule": "@daily",
                 *         "slate_size": 20,
                 *         "inference_config": {
                 *           "diversity_factor": 0.2,
                 *           "diversity_attributes": [
                 *             "genre"
                 *           ]
                 *         }
                 *       },
                 *       "connectors": [
                 *         {
                 *           "type": "Dataset",
                 *           "id": "films",
                 *           "name": "films"
                 *         },
                 *         {
                 *           "type": "Dataset",
                 *           "id": "ev",
                 *           "name": "events"
                 *         }
                 *       ],
                 *       "fetch": {
                 *         "events": "SELECT user_id, item_id, 1 AS label, created_at FROM ev",
                 *         "items": "SELECT item_id, title, genre FROM films",
                 *         "global_filters": "SELECT item_id FROM films WHERE withdrawn",
                 *         "personal_filters": "SELECT user_id, item_id FROM ev"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ModelSetup"];
            };
        };
        readonly responses: {
            /** @description The model is being trained. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model_url": "http://127.0.0.1:8787/v1/models/film_search"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelCreated"];
                };
            };
            /** @description A connected dataset is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'films' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            /** @description There is no model, or no connected dataset, of that name. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 404,
                     *       "title": "Not found",
                     *       "detail": "there is no model 'film_search'",
                     *       "type": "urn:siftwren:error:not-found",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["SlowBody"];
            /** @description The model is being trained. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 409,
                     *       "title": "Being trained",
                     *       "detail": "the model 'film_search' is FETCHING; it can be changed once it is ACTIVE or ERROR",
                     *       "type": "urn:siftwren:error:being-trained",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "model",
                     *             "train_schedule"
                     *           ],
                     *           "msg": "the hour '24' is not *, a number from 0 to 23, a range a-b, a step *\/n, or a list of these",
                     *           "type": "invalid_schedule"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly get_model: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The model. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelView"] | components["schemas"]["NewerModel"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly delete_model: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "model 'film_search' is deleted"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
            readonly 507: components["responses"]["StorageFull"];
        };
    };
    readonly rank_by_query: {
        readonly parameters: {
            readonly query?: {
                /** @example u-17 */
                readonly user_id?: string;
                /** @example 2 */
                readonly limit?: number;
                /** @example true */
                readonly return_metadata?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Items, best first; `scores` and `metadata` are parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "sku-3",
                     *         "sku-41"
                     *       ],
                     *       "scores": [
                     *         0.91,
                     *         0.74
                     *       ],
                     *       "metadata": [
                     *         {
                     *           "item_id": "sku-3",
                     *           "brand": "aa",
                     *           "price": 12.5
                     *         },
                     *         {
                     *           "item_id": "sku-41",
                     *           "brand": "bb",
                     *           "price": 30
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RetrieveResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly rank: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "user_id": "u-17",
                 *       "interactions": [
                 *         {
                 *           "item_id": "sku-9"
                 *         }
                 *       ],
                 *       "filter_predicate": "price < 40 AND array_has_any(tags, ['linen', 'cotton'])",
                 *       "return_metadata": true,
                 *       "config": {
                 *         "limit": 2,
                 *         "diversity_factor": 0.2,
                 *         "diversity_attributes": [
                 *           "brand"
                 *         ],
                 *         "retriever_k_override": {
                 *           "knn": 200,
                 *           "cold_start": 20
                 *         }
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["RankRequest"];
            };
        };
        readonly responses: {
            /** @description Items, best first; `scores` and `metadata` are parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "sku-3",
                     *         "sku-41"
                     *       ],
                     *       "scores": [
                     *         0.91,
                     *         0.74
                     *       ],
                     *       "metadata": [
                     *         {
                     *           "item_id": "sku-3",
                     *           "brand": "aa",
                     *           "price": 12.5
                     *         },
                     *         {
                     *           "item_id": "sku-41",
                     *           "brand": "bb",
                     *           "price": 30
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RetrieveResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly similar_items: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "item_id": "sku-3",
                 *       "return_metadata": true,
                 *       "config": {
                 *         "limit": 1
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SimilarItemsRequest"];
            };
        };
        readonly responses: {
            /** @description Items, the most alike first; `metadata` is parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "sku-41"
                     *       ],
                     *       "metadata": [
                     *         {
                     *           "item_id": "sku-41",
                     *           "brand": "bb",
                     *           "price": 30
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SimilarResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ItemNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly similar_users: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "user_id": "u-17",
                 *       "config": {
                 *         "limit": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SimilarUsersRequest"];
            };
        };
        readonly responses: {
            /** @description Users, the most alike first; `metadata` is parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "u-4",
                     *         "u-90"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SimilarResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["UserNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly complement_items: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "item_ids": [
                 *         "sku-3",
                 *         "sku-9"
                 *       ],
                 *       "config": {
                 *         "limit": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ComplementItemsRequest"];
            };
        };
        readonly responses: {
            /** @description Items, the most fitting first; `metadata` is parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "sku-41",
                     *         "sku-8"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SimilarResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ItemNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly rank_attributes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "attribute_name": "brand",
                 *       "user_id": "u-17",
                 *       "limit": 2
                 *     }
                 */
                readonly "application/json": components["schemas"]["RankAttributesRequest"];
            };
        };
        readonly responses: {
            /** @description Values, best first; `scores` is parallel to them. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attributes": [
                     *         "aa",
                     *         "bb"
                     *       ],
                     *       "scores": [
                     *         0.82,
                     *         0.51
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RankAttributesResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly rank_attribute_grid: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "attribute_name": "genre",
                 *       "user_id": "u-17",
                 *       "row_limit": 2,
                 *       "col_limit": 3
                 *     }
                 */
                readonly "application/json": components["schemas"]["AttributeGridRequest"];
            };
        };
        readonly responses: {
            /** @description Rows, best first; `id_grid`, `scoregrid` and `attributes` are parallel. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attributes": [
                     *         "noir",
                     *         "western"
                     *       ],
                     *       "id_grid": [
                     *         [
                     *           "m4",
                     *           "m9",
                     *           "m1"
                     *         ],
                     *         [
                     *           "m7",
                     *           "m2",
                     *           "m5"
                     *         ]
                     *       ],
                     *       "scoregrid": [
                     *         [
                     *           0.9,
                     *           0.7,
                     *           0.6
                     *         ],
                     *         [
                     *           0.8,
                     *           0.5,
                     *           0.2
                     *         ]
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AttributeGridResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly item_embeddings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "item_ids": [
                 *         "sku-3",
                 *         "sku-9"
                 *       ],
                 *       "dimension": 3
                 *     }
                 */
                readonly "application/json": components["schemas"]["ItemEmbeddingsRequest"];
            };
        };
        readonly responses: {
            /** @description One vector per id. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "embeddings": [
                     *         [
                     *           0.12,
                     *           -0.4,
                     *           0.9
                     *         ],
                     *         [
                     *           0.3,
                     *           0.25,
                     *           -0.01
                     *         ]
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ItemNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly user_embeddings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "user_ids": [
                 *         "u-17"
                 *       ],
                 *       "dimension": 3
                 *     }
                 */
                readonly "application/json": components["schemas"]["UserEmbeddingsRequest"];
            };
        };
        readonly responses: {
            /** @description One vector per id. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "embeddings": [
                     *         [
                     *           0.7,
                     *           -0.1,
                     *           0.33
                     *         ]
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["UserNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongInference"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly retrieve: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example film_search */
                readonly model_name: components["parameters"]["model_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "text_query": "third man",
                 *       "return_metadata": true,
                 *       "config": {
                 *         "limit": 10
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["RetrieveRequest"];
            };
        };
        readonly responses: {
            /** @description Items, best first; `scores` and `metadata` are parallel to `ids`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ids": [
                     *         "m1"
                     *       ],
                     *       "scores": [
                     *         7.25
                     *       ],
                     *       "metadata": [
                     *         {
                     *           "item_id": "m1",
                     *           "title": "The Third Man",
                     *           "plot": "A writer looks for a friend in Vienna",
                     *           "year": 1949
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RetrieveResponse"];
                };
            };
            /** @description The model is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the model 'film_search' is TRAINING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/models/film_search/retrieve#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            /** @description The request is wrong; each entry says where. */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "detail": [
                     *         {
                     *           "loc": [
                     *             "body",
                     *             "config",
                     *             "limit"
                     *           ],
                     *           "msg": "limit is a whole number from 1 to 1000",
                     *           "type": "out_of_range"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ValidationError"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly liveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It runs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "alive"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    readonly ping: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It answers. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "pong"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
}
