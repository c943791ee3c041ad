// Made from api-spec/v2/openapi.yaml by `npm run generate:api`; not edited by hand.

export interface paths {
    readonly "/query": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Run a query
         * @description A query goes through four stages: retrieve, filter, score, reorder.
         *
         *     - Retrieve steps run independently of each other; what they find is united by id. Each keeps its own score and rank for the value model and the explanation.
         *     - Filter steps run in their order.
         *     - Score: `score_ensemble` gives each candidate the value of a formula; `passthrough`, and a query without a score step, keep the order of retrieval.
         *     - Reorder steps run in their order; then `limit` cuts.
         *
         *     `query.model` names the model. Without it the only ACTIVE model that has what the query names is taken; if several have, that is a 422 that names them.
         *     `$param.NAME` stands as a whole value for one of `parameters`, wherever a value is.
         *
         *     No key is needed where the server listens on this machine only; elsewhere one of scope admin, unless the server was started with `--open-queries`.
         */
        readonly post: operations["run_query"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/queries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the saved queries
         * @description Their names, in order.
         */
        readonly get: operations["list_queries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/queries/{query_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example feed */
                readonly query_name: components["parameters"]["query_name"];
            };
            readonly cookie?: never;
        };
        /** Show a saved query */
        readonly get: operations["get_query"];
        readonly put?: never;
        /**
         * Run a saved query
         * @description As `/query` with the query that a model's set-up saved under this name. A parameter without a default must be given; one that the query does not declare is a 422.
         */
        readonly post: operations["run_saved_query"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
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
         * @description The datasets and transforms that `data` reads must be ACTIVE, and every statement must plan over them: one SELECT of at most 16 KiB in DataFusion's dialect, which reads datasets and transforms by their names.
         *     Saved queries are checked against the rest of the body; their names are unique among all models.
         *
         *     The model is trained in the background: SCHEDULING, FETCHING, TUNING if a policy has something to tune, TRAINING, DEPLOYING, then ACTIVE or ERROR.
         *
         *     Policies that train here: als, chronological, ease, item_content_similarity, ngram, no_op, popular, random, recently_popular, rising_popularity, svd, user_content_similarity, user_item_content_similarity. A score_ensemble is a formula over the others.
         *     Another policy type of the platform is a 422 of type `not_supported`.
         *
         *     `compute`, `autoscaling`, `data_tier`, `rollout` and `server` describe machines; this server has one, so they are checked, kept, shown, and change nothing.
         */
        readonly post: operations["create_model"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a model and train it anew
         * @description The body is that of a set-up, whole; `name` says which model. Only a model that is ACTIVE or in ERROR can be changed.
         *     What was trained before serves, with its saved queries, until the new version takes its place.
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
         * @description A model that was set up by a body of version 1 is shown as that reference says.
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
        /** @description A name that expressions can speak. */
        readonly Identifier: string;
        readonly ModelSetup: {
            /** @enum {string} */
            readonly version: "v2";
            readonly name: components["schemas"]["Name"];
            /** @description A note for people. */
            readonly description?: string | null;
            /** @description Notes for programs. */
            readonly tags?: {
                readonly [key: string]: string;
            } | null;
            readonly data: components["schemas"]["ModelData"];
            readonly training?: components["schemas"]["ModelTraining"] | null;
            readonly deployment?: components["schemas"]["ModelDeployment"] | null;
            /** @description Queries by the names under which they can be run. A name is taken once among all models. */
            readonly queries?: {
                readonly [key: string]: components["schemas"]["SavedQuery"];
            } | null;
        };
        /** @description What the model reads. */
        readonly ModelData: {
            /** @description Who did what: has the columns user_id, item_id and, if there are any, label and created_at; others are features. */
            readonly interaction_dataset?: components["schemas"]["DataSource"] | null;
            /** @description Has the column user_id; others are features. */
            readonly user_dataset?: components["schemas"]["DataSource"] | null;
            /** @description Has the column item_id; others are features. Without it the items are those of the interactions. */
            readonly item_dataset?: components["schemas"]["DataSource"] | null;
            /**
             * @description When data is read again: `@once`, `@hourly`, `@daily`, `@weekly` or five cron fields in UTC.
             * @default @hourly
             */
            readonly schedule?: string | null;
            readonly schema_override?: components["schemas"]["SchemaOverride"] | null;
            /** @description Kept and shown; this server has one machine. */
            readonly compute?: {
                /**
                 * @description CPUs.
                 * @default 4
                 */
                readonly cpu?: number | null;
                /**
                 * @description Memory in GB.
                 * @default 16
                 */
                readonly memory_gb?: number | null;
            } | null;
            /** @description Filters that queries name. */
            readonly filters?: readonly components["schemas"]["PrebuiltFilter"][] | null;
            readonly index?: components["schemas"]["ModelIndex"] | null;
        };
        readonly DataSource: components["schemas"]["TableSource"] | components["schemas"]["QuerySource"];
        readonly TableSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "table";
            /** @description A dataset or transform. */
            readonly name: components["schemas"]["Name"];
            /** @description The columns to read; without it, all. */
            readonly columns?: readonly components["schemas"]["ColumnName"][] | null;
            /** @description A condition in SQL; rows that it is true for are read. */
            readonly where?: string | null;
        };
        readonly QuerySource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "query";
            /** @description One SELECT over datasets and transforms by their names. */
            readonly query: string;
        };
        /** @description What columns mean, where that is not to be found out from their names and values. */
        readonly SchemaOverride: {
            readonly user?: components["schemas"]["EntityOverride"] | null;
            readonly item?: components["schemas"]["EntityOverride"] | null;
            readonly interaction?: {
                readonly label?: {
                    readonly name: components["schemas"]["ColumnName"];
                    /** @enum {string|null} */
                    readonly type?: "BinaryLabel" | "RatingLabel" | null;
                } | null;
                /** @description The column of times. */
                readonly created_at?: string | null;
                /** @description The column that says which interactions belong together. */
                readonly session_id?: string | null;
                /** @description The column that identifies an interaction. */
                readonly interaction_id?: string | null;
                readonly features?: readonly components["schemas"]["FeatureOverride"][] | null;
            } | null;
        };
        readonly EntityOverride: {
            /** @description The column of ids. */
            readonly id?: string | null;
            readonly features?: readonly components["schemas"]["FeatureOverride"][] | null;
            /** @description The column of times. */
            readonly created_at?: string | null;
        };
        /** @description A column that is a feature, with its type where that is not to be inferred. */
        readonly FeatureOverride: components["schemas"]["ColumnName"] | {
            readonly name: components["schemas"]["ColumnName"];
            readonly type?: components["schemas"]["FeatureType"] | null;
        };
        /** @enum {string} */
        readonly FeatureType: "Id" | "Unknown" | "Timestamp" | "Category" | "TextCategory" | "LowCardinalityCategory" | "Binary" | "Boolean" | "Numerical" | "Sequence(Numerical)" | "Sequence(Category)" | "Set(Category)" | "Url" | "Text" | "Vector" | "Image" | "Audio" | "Video";
        readonly PrebuiltFilter: {
            readonly name: components["schemas"]["Identifier"];
            /** @description The items that are left out. */
            readonly filter_dataset: components["schemas"]["DataSource"];
            readonly filter_type: {
                /** @enum {string} */
                readonly type: "global";
                /** @default item_id */
                readonly item_id_column?: string | null;
            } | {
                /** @enum {string} */
                readonly type: "personal";
                /** @default user_id */
                readonly user_id_column?: string | null;
                /** @default item_id */
                readonly item_id_column?: string | null;
            };
        };
        readonly ModelIndex: {
            readonly lexical_search?: components["schemas"]["LexicalSearch"] | null;
            readonly embeddings?: readonly components["schemas"]["EmbeddingIndex"][] | null;
            readonly item_column_indices?: readonly components["schemas"]["ColumnIndex"][] | null;
            readonly user_column_indices?: readonly components["schemas"]["ColumnIndex"][] | null;
        };
        /** @description What text searches of mode lexical read. */
        readonly LexicalSearch: {
            readonly tokenizer?: components["schemas"]["Tokenizer"] | null;
            /** @description Columns of items with texts, the most important first. */
            readonly item_fields?: readonly string[] | null;
            /** @description Columns of users with texts, the most important first. */
            readonly user_fields?: readonly string[] | null;
        };
        /** @description How texts become words. */
        readonly Tokenizer: components["schemas"]["StemmerTokenizer"] | components["schemas"]["NgramTokenizer"] | components["schemas"]["WhitespaceTokenizer"];
        readonly StemmerTokenizer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "stemmer";
            /**
             * @description Of the texts.
             * @default en
             */
            readonly language?: string | null;
            /**
             * @description Words count as their stems.
             * @default true
             */
            readonly stemming?: boolean | null;
            /**
             * @description é counts as e.
             * @default true
             */
            readonly ascii_folding?: boolean | null;
            /**
             * @description The, a, of are left out.
             * @default false
             */
            readonly remove_stop_words?: boolean | null;
        };
        readonly NgramTokenizer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "ngram";
            /**
             * @description Letters of the shortest piece.
             * @default 3
             */
            readonly min_length?: number | null;
            /**
             * @description Letters of the longest piece.
             * @default 3
             */
            readonly max_length?: number | null;
            /**
             * @description Only pieces that begin a word.
             * @default false
             */
            readonly prefix_only?: boolean | null;
        };
        readonly WhitespaceTokenizer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "whitespace";
        };
        /** @description Vectors that queries name by `embedding_ref`. */
        readonly EmbeddingIndex: {
            readonly name: components["schemas"]["Identifier"];
            readonly encoder: components["schemas"]["TrainedModelEncoder"] | components["schemas"]["HuggingFaceEncoder"];
        };
        readonly TrainedModelEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "trained_model";
            /** @description A policy of training.models that has vectors. */
            readonly model_ref: string;
        };
        /** @description Vectors of texts. Needs a server with a text encoder (`platform-sim --text-encoder FILE`); without one it is a 422 `no_text_encoder`. */
        readonly HuggingFaceEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "hugging_face";
            /** @description The encoder. */
            readonly model_name: string;
            /** @description Columns of items that are encoded. */
            readonly item_fields?: readonly string[] | null;
            /** @description Columns of users that are encoded. */
            readonly user_fields?: readonly string[] | null;
            /**
             * @description Texts that are encoded at a time.
             * @default 256
             */
            readonly batch_size?: number | null;
        };
        /** @description Kept and shown; this server scans columns. */
        readonly ColumnIndex: {
            readonly column: components["schemas"]["ColumnName"];
            /** @enum {string} */
            readonly index_type: "btree" | "bitmap" | "label_list" | "fts";
        };
        readonly ModelTraining: {
            /**
             * @description When the model is trained again: `@once` (only when it is set up or changed), `@hourly`, `@daily`, `@weekly` (counted from the last training), or a cron expression in UTC.
             *     What was trained before serves until the new version takes its place, and when the training fails.
             * @default @daily
             */
            readonly schedule?: string | null;
            /** @description Kept and shown; this server has one machine. */
            readonly compute?: {
                /**
                 * @description The kind of GPU.
                 * @default T4
                 */
                readonly gpu?: string | null;
                /**
                 * @description GPUs.
                 * @default 1
                 */
                readonly gpu_count?: number | null;
                /**
                 * @description Memory in GB.
                 * @default 16
                 */
                readonly memory_gb?: number | null;
                /**
                 * @description CPUs.
                 * @default 4
                 */
                readonly cpu?: number | null;
                /**
                 * @description Disk in GB.
                 * @default 64
                 */
                readonly disk_gb?: number | null;
            } | null;
            /** @description Which interactions are held back to evaluate and to tune. */
            readonly data_split?: {
                /**
                 * @description The latest of each user, or the latest of all.
                 * @default user
                 * @enum {string|null}
                 */
                readonly strategy?: "user" | "global" | null;
            } | null;
            readonly evaluation?: {
                /**
                 * @description Whether the details of the model carry metrics.
                 * @default false
                 */
                readonly enable?: boolean | null;
                /**
                 * @description What the items held back have to beat.
                 * @default negative_sampled_iids
                 * @enum {string|null}
                 */
                readonly candidate_source?: "batch_iids" | "train_iids" | "test_iids" | "all_iids" | "negative_sampled_iids" | "none" | null;
                /**
                 * @description Leave out what the user has taken before.
                 * @default true
                 */
                readonly filter_seen_items?: boolean | null;
                /**
                 * @description How many items of an answer count.
                 * @default 50
                 */
                readonly evaluation_top_k?: number | null;
            } | null;
            /** @description Policies by names that value models and embeddings use. */
            readonly models?: readonly components["schemas"]["Policy"][] | null;
            /** @description The search for values of what is tunable. */
            readonly tuning?: {
                /**
                 * @description Combinations that are tried.
                 * @default 30
                 */
                readonly total_jobs?: number | null;
                /**
                 * @description Combinations that are tried at a time.
                 * @default 10
                 */
                readonly parallel_jobs?: number | null;
            } | null;
        };
        /** @description A scorer. The policy type decides on the other fields; each takes a value, or a range in which a search chooses one. Underscores in the name of a type may be hyphens. */
        readonly Policy: components["schemas"]["AlsPolicy"] | components["schemas"]["ChronologicalPolicy"] | components["schemas"]["EasePolicy"] | components["schemas"]["ItemContentSimilarityPolicy"] | components["schemas"]["NgramPolicy"] | components["schemas"]["NoOpPolicy"] | components["schemas"]["PopularPolicy"] | components["schemas"]["RandomPolicy"] | components["schemas"]["RecentlyPopularPolicy"] | components["schemas"]["RisingPopularityPolicy"] | components["schemas"]["SvdPolicy"] | components["schemas"]["UserContentSimilarityPolicy"] | components["schemas"]["UserItemContentSimilarityPolicy"] | components["schemas"]["ScoreEnsemblePolicy"] | components["schemas"]["OtherPolicy"];
        /** @description Alternating least squares: for clicks, views and purchases at any size, when vectors of users and items are wanted too. */
        readonly AlsPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "als";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The dimension of the vectors.
             * @default 64
             */
            readonly factors?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description Sweeps over all users and all items.
             * @default 15
             */
            readonly iterations?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description The penalty of long vectors: larger for smaller data.
             * @default 5
             */
            readonly regularization?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description How much a label of 1 adds to the confidence 1 in what is not there.
             * @default 3
             */
            readonly alpha?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description How far the penalty grows with the interactions of a user or an item: 0 as in the paper, 1 in proportion.
             * @default 0.5
             */
            readonly frequency?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description Steps of conjugate gradients per row and sweep.
             * @default 3
             */
            readonly solver_steps?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
        };
        /** @description Chronological: for a list of the latest, and from the first day on, when there is nothing to learn from. */
        readonly ChronologicalPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "chronological";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The timestamp column of the items; without such a column an item is as old as its first event.
             * @default created_at
             */
            readonly column?: string | null;
        };
        /** @description EASE: for the best accuracy from interactions alone, up to some ten thousand items that matter. */
        readonly EasePolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "ease";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description Λ: larger for fewer interactions; the one setting that matters.
             * @default 200
             */
            readonly regularization?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description So many of the most popular items take part; memory grows with the square (24 bytes per pair while training, 4 after).
             * @default 8000
             */
            readonly max_items?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description So many items back in a history an item counts half; 0 weighs all alike.
             * @default 0
             */
            readonly history_half_life?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description How much popularity is added to the score.
             * @default 0
             */
            readonly popularity?: number | components["schemas"]["TunableFloat"] | null;
        };
        /** @description Item content similarity: for items like the one on the screen, new ones included, when nobody has interacted yet. */
        readonly ItemContentSimilarityPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "item_content_similarity" | "item-content-similarity";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The columns to read, separated by commas; empty for all texts, categories and vectors.
             * @default
             */
            readonly columns?: string | null;
            /**
             * @description The length of the dense vectors given out, which keep the cosines about.
             * @default 128
             */
            readonly dimension?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
        };
        /** @description N-gram: where the order says what comes next: episodes, courses, sessions. */
        readonly NgramPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "ngram";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The longest context, in items.
             * @default 3
             */
            readonly order?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description Μ: how many observations the shorter context counts as.
             * @default 160
             */
            readonly smoothing?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description The farthest follower that a context of one item counts, in items.
             * @default 10
             */
            readonly window?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description So many of the last items add their followers.
             * @default 3
             */
            readonly reach?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description What a follower, or an item of the history, counts per step of distance.
             * @default 0.9
             */
            readonly decay?: number | components["schemas"]["TunableFloat"] | null;
        };
        /** @description No-op: when the order of the candidates is already right, as a control, or to try a pipeline without data. */
        readonly NoOpPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "no_op" | "no-op";
            readonly event_values?: components["schemas"]["EventValues"];
        };
        /** @description Popular: as the baseline that every other model must beat, and for visitors of whom nothing is known. */
        readonly PopularPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "popular";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description What is counted for an item: distinct users, events (of equal counts the latest leads), or the sum of the positive labels.
             * @default users
             */
            readonly count?: ("users" | "events" | "labels") | components["schemas"]["TunableString"] | null;
        };
        /** @description Random: as the lower bound of every metric, and to collect feedback that no model has bent. */
        readonly RandomPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "random";
            readonly event_values?: components["schemas"]["EventValues"];
        };
        /** @description Recently popular: instead of popular where what was liked long ago says little: news, feeds, seasons. */
        readonly RecentlyPopularPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "recently_popular" | "recently-popular";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description After this many days before the newest event an event counts half.
             * @default 7
             */
            readonly half_life_days?: number | components["schemas"]["TunableFloat"] | null;
        };
        /** @description Rising popularity: to show what gains attention now, which a count of all attention hides. */
        readonly RisingPopularityPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "rising_popularity" | "rising-popularity";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The length of the latest window, which ends with the newest event, and of the one before it that it is compared with.
             * @default 7
             */
            readonly window_days?: number | components["schemas"]["TunableFloat"] | null;
            /**
             * @description An item with fewer events in the latest window has not risen.
             * @default 3
             */
            readonly minimum_count?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
        };
        /** @description Singular value decomposition: for vectors from dense ratings, and as a fast baseline of the models with vectors. */
        readonly SvdPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "svd";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The dimension of the vectors: fewer than for als, because what is missing counts as zero.
             * @default 8
             */
            readonly factors?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description Steps of the subspace iteration: more bring weak directions closer to exact.
             * @default 8
             */
            readonly iterations?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description What stands in the matrix where a user has interacted.
             * @default ones
             */
            readonly values?: ("ones" | "labels") | components["schemas"]["TunableString"] | null;
        };
        /** @description User content similarity: for people with a like profile and for what they like, when the users have columns. */
        readonly UserContentSimilarityPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "user_content_similarity" | "user-content-similarity";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The columns to read, separated by commas; empty for all texts, categories and vectors.
             * @default
             */
            readonly columns?: string | null;
            /**
             * @description The length of the dense vectors given out, which keep the cosines about.
             * @default 128
             */
            readonly dimension?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description The items of so many like users are scored.
             * @default 50
             */
            readonly neighbours?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
        };
        /** @description User-item content similarity: for new items, by the topics that a user took lately. */
        readonly UserItemContentSimilarityPolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "user_item_content_similarity" | "user-item-content-similarity";
            readonly event_values?: components["schemas"]["EventValues"];
            /**
             * @description The columns to read, separated by commas; empty for all texts, categories and vectors.
             * @default
             */
            readonly columns?: string | null;
            /**
             * @description The length of the dense vectors given out, which keep the cosines about.
             * @default 128
             */
            readonly dimension?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description So many of the last items describe a user.
             * @default 10
             */
            readonly history?: number | components["schemas"]["TunableInt"] | components["schemas"]["TunableIntCategorical"] | null;
            /**
             * @description Likeness to the mean of these items, or to the nearest of them.
             * @default mean
             */
            readonly pooling?: ("mean" | "max") | components["schemas"]["TunableString"] | null;
        };
        /** @description A formula over the scores of other policies; nothing is trained. */
        readonly ScoreEnsemblePolicy: {
            /** @description Unique among the policies. */
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "score_ensemble" | "score-ensemble";
            readonly event_values?: components["schemas"]["EventValues"];
            /** @description A formula over the other policies: see the reference of value models. */
            readonly value_model: string;
        };
        /** @description A policy of the platform that this server has no model for yet. It is answered with a 422 of type `not_supported`. */
        readonly OtherPolicy: {
            readonly name: components["schemas"]["Identifier"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly policy_type: "auto_tune" | "auto-tune" | "beeformer" | "bert4rec" | "deepfm" | "elsa" | "gsasrec" | "item2vec" | "lightgbm" | "sasrec" | "two_tower" | "two-tower" | "wide_deep" | "wide-deep" | "xgboost";
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The labels that this policy learns from; without it, all. */
        readonly EventValues: readonly (string | number)[] | null;
        readonly TunableInt: {
            /** @enum {string} */
            readonly type: "tunable_int";
            /** @description The smallest value. */
            readonly min: number;
            /** @description The largest value. */
            readonly max: number;
            /**
             * @default linear
             * @enum {string|null}
             */
            readonly scale?: "linear" | "log" | null;
        };
        readonly TunableFloat: {
            /** @enum {string} */
            readonly type: "tunable_float";
            /** @description The smallest value. */
            readonly min: number;
            /** @description The largest value. */
            readonly max: number;
            /**
             * @default linear
             * @enum {string|null}
             */
            readonly scale?: "linear" | "log" | null;
        };
        readonly TunableIntCategorical: {
            /** @enum {string} */
            readonly type: "tunable_int_categorical";
            readonly options: readonly number[];
        };
        readonly TunableString: {
            /** @enum {string} */
            readonly type: "tunable_string";
            readonly options: readonly string[];
        };
        readonly ModelDeployment: {
            /**
             * @description Kept and shown.
             * @default cold_tier
             * @enum {string|null}
             */
            readonly data_tier?: "cold_tier" | "fast_tier" | null;
            /** @description Kept and shown; a new version takes the place of the one before at once. */
            readonly rollout?: {
                readonly strategy?: components["schemas"]["CanaryRollout"] | components["schemas"]["RecreateRollout"];
            } | null;
            /** @description Kept and shown; this server has one machine. */
            readonly autoscaling?: {
                /** @default 1 */
                readonly min_replicas?: number | null;
                /**
                 * @description At least min_replicas.
                 * @default 20
                 */
                readonly max_replicas?: number | null;
                readonly policy?: components["schemas"]["LatencyScaling"] | components["schemas"]["RequestScaling"];
            } | null;
            readonly server?: {
                /**
                 * @description Kept and shown.
                 * @default 1
                 */
                readonly worker_count?: number | null;
            } | null;
            readonly pagination?: {
                /**
                 * @description For so many seconds, what was served under a pagination_key is left out of later answers under it; 0 is off.
                 * @default 0
                 */
                readonly page_expiration_in_seconds?: number | null;
            } | null;
            /** @description Interactions that count before the next training. */
            readonly online_store?: {
                /**
                 * @description The newest so many.
                 * @default 30
                 */
                readonly interaction_max_per_user?: number | null;
                /**
                 * @description Days that they count.
                 * @default 90
                 */
                readonly interaction_expiration_days?: number | null;
            } | null;
        };
        readonly CanaryRollout: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "canary";
            /** @default 10 */
            readonly evaluation_period_minutes?: number | null;
        };
        readonly RecreateRollout: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "recreate";
        };
        readonly LatencyScaling: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "latency";
            /** @default 0.5 */
            readonly target_seconds?: number | null;
        };
        readonly RequestScaling: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "requests_per_second";
            /** @default 10 */
            readonly target_requests?: number | null;
        };
        readonly SavedQuery: {
            readonly query: components["schemas"]["Query"];
            /** @description The parameters of the query. */
            readonly params?: {
                readonly [key: string]: {
                    /** @description The value of a parameter that is not given. A parameter without a default must be given. */
                    readonly default?: components["schemas"]["ParameterValue"];
                } | null;
            } | null;
        };
        readonly ModelCreated: {
            /** Format: uri */
            readonly model_url: string;
        };
        /**
         * @description Free text in this reference; these are the values here.
         * @enum {string}
         */
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
        readonly ModelDetails: {
            readonly model_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly model_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly trained_at: string | null;
            readonly status: components["schemas"]["ModelStatus"];
            /** @description The set-up as it was given, with its defaults. */
            readonly config: {
                readonly [key: string]: unknown;
            };
            /** @description What the columns mean; empty until the model was trained. */
            readonly model_schema: {
                readonly user: readonly components["schemas"]["Feature"][];
                readonly item: readonly components["schemas"]["Feature"][];
                readonly interaction: readonly components["schemas"]["Feature"][];
                readonly label: readonly {
                    readonly name: string;
                    /** @enum {string} */
                    readonly type: "BinaryLabel" | "RatingLabel";
                }[];
            };
            /** @description Why the status is ERROR. A model that was trained before goes on serving. */
            readonly error_message: string | null;
            readonly warning_message: string | null;
            readonly evaluation: components["schemas"]["Evaluation"] | null;
            readonly tuning: components["schemas"]["Tuning"] | null;
        };
        readonly Feature: {
            readonly name: string;
            readonly type: components["schemas"]["FeatureType"];
        };
        /** @description How good the policies are on interactions that were held back. There with training.evaluation.enable. */
        readonly Evaluation: {
            /** @enum {string} */
            readonly split: "user" | "global";
            readonly top_k: number;
            readonly candidate_source: string;
            readonly filter_seen_items: boolean;
            readonly training_events: number;
            readonly held_back_events: number;
            /** @description The policy that stands for the model: the first score_ensemble, else the first. */
            readonly main: string | null;
            /** @description By the name of the policy. */
            readonly policies: {
                readonly [key: string]: {
                    /** @description Users who were asked. */
                    readonly users: number;
                    /** @description Means over the users that have a value; absent where none has. */
                    readonly metrics: {
                        readonly [key: string]: number;
                    };
                };
            };
        };
        /** @description What the search tried and chose. There if something was tunable. */
        readonly Tuning: {
            /** @description What was made as large as possible. */
            readonly metric: string;
            readonly top_k: number;
            /** @enum {string} */
            readonly split: "user" | "global";
            readonly training_events: number;
            readonly validation_events: number;
            /** @description By the name of the policy. */
            readonly policies: {
                readonly [key: string]: {
                    readonly chosen: components["schemas"]["ChosenValues"];
                    readonly trials: readonly {
                        readonly values: components["schemas"]["ChosenValues"];
                        /** @description Of the metric; null if the training failed. */
                        readonly value: number | null;
                    }[];
                };
            };
        };
        /** @description Values by the name of the hyper-parameter. */
        readonly ChosenValues: {
            readonly [key: string]: number | string | boolean;
        };
        /** @description The view of version 1; its reference has the fields. */
        readonly OlderModel: {
            readonly model_name: components["schemas"]["Name"];
            /** Format: uri */
            readonly model_uri: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly trained_at: string | null;
            readonly status: components["schemas"]["ModelStatus"];
            readonly fetch: {
                readonly [key: string]: unknown;
            };
            readonly schema: {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description A parameter in place of a value.
         * @example $param.uid
         */
        readonly Reference: string;
        /** @description A plain value or a list of plain values. */
        readonly ParameterValue: (string | number | boolean | null) | readonly (string | number | boolean)[];
        /** @description Values by the names that `$param.NAME` speaks of. A parameter that nothing speaks of is a 422. */
        readonly Parameters: {
            readonly [key: string]: components["schemas"]["ParameterValue"];
        } | null;
        readonly QueryRequest: {
            readonly query: components["schemas"]["Query"];
            readonly parameters?: components["schemas"]["Parameters"];
            /**
             * @description Whether results carry columns.
             * @default true
             */
            readonly return_metadata?: boolean | null;
            /**
             * @description Whether the answer says what each stage did.
             * @default false
             */
            readonly return_explanation?: boolean | null;
            /** @description What was served under this key is left out, for as long as the model's page_expiration_in_seconds says. */
            readonly pagination_key?: string | null;
        };
        readonly SavedQueryRequest: {
            readonly parameters?: components["schemas"]["Parameters"];
            /**
             * @description Whether results carry columns.
             * @default true
             */
            readonly return_metadata?: boolean | null;
            /**
             * @description Whether the answer says what each stage did.
             * @default false
             */
            readonly return_explanation?: boolean | null;
            /** @description What was served under this key is left out, for as long as the model's page_expiration_in_seconds says. */
            readonly pagination_key?: string | null;
        };
        /** @description What is asked for. The type decides on the other fields. */
        readonly Query: components["schemas"]["TypedQuery"] | components["schemas"]["RankQuery"] | components["schemas"]["RankObjectQuery"];
        /** @description Another spelling, for example `{type rank, from items}` for `{type rank_items}`. The other fields are those of the typed query. */
        readonly RankQuery: {
            /** @enum {string} */
            readonly type: "rank";
            readonly from: components["schemas"]["RankSource"];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Another spelling: the fields of a typed query inside of `rank`. */
        readonly RankObjectQuery: {
            readonly rank: {
                readonly from: components["schemas"]["RankSource"];
            } & {
                readonly [key: string]: unknown;
            };
        };
        /**
         * @description What is ranked; stands for the type of the query.
         * @enum {string}
         */
        readonly RankSource: "items" | "users" | "item_ids" | "item_attributes" | "attributes";
        readonly TypedQuery: components["schemas"]["RankItemsQuery"] | components["schemas"]["RankUsersQuery"] | components["schemas"]["RerankItemsQuery"] | components["schemas"]["RerankItemsByAttributesQuery"] | components["schemas"]["RankAttributesQuery"];
        /** @description Items for somebody, or for a text. */
        readonly RankItemsQuery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "rank_items";
            /** @description The model; without it the only ACTIVE one that has what the query names. */
            readonly model?: string | null;
            /** @description Where candidates come from. */
            readonly retrieve: readonly components["schemas"]["ItemRetrieveStep"][];
            /** @description Which candidates stay. */
            readonly filter?: readonly components["schemas"]["FilterStep"][] | null;
            readonly score?: components["schemas"]["ScoreStep"] | null;
            /** @description How the list is mixed. */
            readonly reorder?: readonly components["schemas"]["ReorderStep"][] | null;
            /** @description The columns that metadata has; without it, all. */
            readonly columns?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description Embeddings of the model whose vectors results carry. */
            readonly embeddings?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /**
             * @description How many results.
             * @default 15
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description Users for an item, or for a text. */
        readonly RankUsersQuery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "rank_users";
            /** @description The model; without it the only ACTIVE one that has what the query names. */
            readonly model?: string | null;
            /** @description Where candidates come from. */
            readonly retrieve: readonly components["schemas"]["UserRetrieveStep"][];
            /** @description Which candidates stay. */
            readonly filter?: readonly components["schemas"]["FilterStep"][] | null;
            readonly score?: components["schemas"]["ScoreStep"] | null;
            /** @description How the list is mixed. */
            readonly reorder?: readonly components["schemas"]["ReorderStep"][] | null;
            /** @description The columns that metadata has; without it, all. */
            readonly columns?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description Embeddings of the model whose vectors results carry. */
            readonly embeddings?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /**
             * @description How many results.
             * @default 15
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description Given items in another order. */
        readonly RerankItemsQuery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "rerank_items";
            /** @description The model; without it the only ACTIVE one that has what the query names. */
            readonly model?: string | null;
            /** @description Where candidates come from. */
            readonly retrieve: readonly components["schemas"]["CandidateIdsStep"][];
            /** @description Which candidates stay. */
            readonly filter?: readonly components["schemas"]["FilterStep"][] | null;
            readonly score?: components["schemas"]["ScoreStep"] | null;
            /** @description How the list is mixed. */
            readonly reorder?: readonly components["schemas"]["ReorderStep"][] | null;
            /** @description The columns that metadata has; without it, all. */
            readonly columns?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description Embeddings of the model whose vectors results carry. */
            readonly embeddings?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /**
             * @description How many results.
             * @default 15
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description Items that are given by their columns, in another order. The model need not know them. */
        readonly RerankItemsByAttributesQuery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "rerank_items_by_attributes";
            /** @description The model; without it the only ACTIVE one that has what the query names. */
            readonly model?: string | null;
            /** @description Where candidates come from. */
            readonly retrieve: readonly components["schemas"]["CandidateAttributesStep"][];
            /** @description Which candidates stay. */
            readonly filter?: readonly components["schemas"]["FilterStep"][] | null;
            readonly score?: components["schemas"]["ScoreStep"] | null;
            /** @description How the list is mixed. */
            readonly reorder?: readonly components["schemas"]["ReorderStep"][] | null;
            /** @description The columns that metadata has; without it, all. */
            readonly columns?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description Embeddings of the model whose vectors results carry. */
            readonly embeddings?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /**
             * @description How many results.
             * @default 15
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description Values of a column, such as brands or genres; the id of a result is the value. */
        readonly RankAttributesQuery: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "rank_attributes";
            /** @description The model; without it the only ACTIVE one that has what the query names. */
            readonly model?: string | null;
            /** @description A column of the items: texts, whole numbers, booleans, or lists of these. */
            readonly input_attribute: string;
            /** @description For whom; without it, for everybody. */
            readonly input_user_id?: string | number | null;
            /** @description Columns of the value's best item that metadata has. */
            readonly columns?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description Embeddings of the model; the vector of a value is the mean of its items. */
            readonly embeddings?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /**
             * @description How many results.
             * @default 15
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        readonly ItemRetrieveStep: components["schemas"]["ItemColumnOrderStep"] | components["schemas"]["ItemTextSearchStep"] | components["schemas"]["ItemSimilarityStep"];
        readonly UserRetrieveStep: components["schemas"]["UserColumnOrderStep"] | components["schemas"]["UserTextSearchStep"] | components["schemas"]["UserSimilarityStep"];
        /** @description The first items in the order of columns. */
        readonly ItemColumnOrderStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "item_column_order" | "column_order";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description The first column orders; the next decides among equals. */
            readonly columns: readonly components["schemas"]["OrderColumn"][];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description The items that match a text. */
        readonly ItemTextSearchStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "item_text_search" | "text_search";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description What is searched for. */
            readonly input_text_query: string;
            readonly mode: components["schemas"]["SearchMode"];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description The items nearest to a vector. */
        readonly ItemSimilarityStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "item_similarity" | "similarity";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description An embedding of the model. */
            readonly embedding_ref: string;
            readonly query_encoder: components["schemas"]["Encoder"];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
            /**
             * @description Whether all vectors are compared even where an index could answer.
             * @default false
             */
            readonly use_exact_search?: boolean | components["schemas"]["Reference"] | null;
        };
        /** @description The first users in the order of columns. */
        readonly UserColumnOrderStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "user_column_order" | "column_order";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description The first column orders; the next decides among equals. */
            readonly columns: readonly components["schemas"]["OrderColumn"][];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description The users that match a text. */
        readonly UserTextSearchStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "user_text_search" | "text_search";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description What is searched for. */
            readonly input_text_query: string;
            readonly mode: components["schemas"]["SearchMode"];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
        };
        /** @description The users nearest to a vector. */
        readonly UserSimilarityStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "user_similarity" | "similarity";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description An embedding of the model. */
            readonly embedding_ref: string;
            readonly query_encoder: components["schemas"]["Encoder"];
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for is found. */
            readonly where?: string | null;
            /**
             * @description How many are found at most.
             * @default 100
             */
            readonly limit?: number | components["schemas"]["Reference"] | null;
            /**
             * @description Whether all vectors are compared even where an index could answer.
             * @default false
             */
            readonly use_exact_search?: boolean | components["schemas"]["Reference"] | null;
        };
        readonly CandidateIdsStep: {
            /** @enum {string} */
            readonly type: "candidate_ids";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description Ids of items, in the order that passthrough keeps. */
            readonly item_ids: readonly (string | number)[] | components["schemas"]["Reference"];
        };
        readonly CandidateAttributesStep: {
            /** @enum {string} */
            readonly type: "candidate_attributes";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description Columns of each item. item_id is its id if it is there; else its place in the list, from 0, is. */
            readonly item_attributes: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        readonly OrderColumn: {
            /** @description A column. */
            readonly name: string;
            /**
             * @description Smallest first.
             * @default true
             */
            readonly ascending?: boolean | components["schemas"]["Reference"] | null;
            /**
             * @description Where those without a value stand.
             * @default false
             */
            readonly nulls_first?: boolean | components["schemas"]["Reference"] | null;
        };
        readonly SearchMode: components["schemas"]["LexicalMode"] | components["schemas"]["VectorMode"];
        /** @description By words; needs a lexical index. */
        readonly LexicalMode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "lexical";
            /**
             * @description So many typing errors in a word are forgiven.
             * @default 1
             */
            readonly fuzziness_edit_distance?: number | components["schemas"]["Reference"] | null;
        };
        /** @description By meaning. */
        readonly VectorMode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "vector";
            /** @description An embedding of texts. */
            readonly text_embedding_ref: string;
            /**
             * @description Whether all vectors are compared even where an index could answer.
             * @default false
             */
            readonly use_exact_search?: boolean | components["schemas"]["Reference"] | null;
        };
        /** @description How a vector is made that others are compared with. */
        readonly Encoder: components["schemas"]["InteractionPoolingEncoder"] | components["schemas"]["InteractionRoundRobinEncoder"] | components["schemas"]["UserAttributePoolingEncoder"] | components["schemas"]["ItemAttributePoolingEncoder"] | components["schemas"]["PrecomputedUserEncoder"] | components["schemas"]["PrecomputedItemEncoder"];
        /** @description One vector of what a user took last. */
        readonly InteractionPoolingEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "interaction_pooling";
            /** @description The user; null is nobody. */
            readonly input_user_id: string | number | null;
            /**
             * @description How vectors become one.
             * @default mean
             */
            readonly pooling_function?: ("mean" | "max") | components["schemas"]["Reference"] | null;
            /**
             * @description The newest so many interactions count.
             * @default 10
             */
            readonly truncate_interactions?: number | components["schemas"]["Reference"] | null;
        };
        /** @description A vector for each of a user's interests. */
        readonly InteractionRoundRobinEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "interaction_round_robin";
            /** @description The user; null is nobody. */
            readonly input_user_id: string | number | null;
            /**
             * @description Groups of interactions; each finds its own, in turn.
             * @default 5
             */
            readonly num_clusters?: number | components["schemas"]["Reference"] | null;
            /**
             * @description How vectors become one.
             * @default mean
             */
            readonly pooling_function?: ("mean" | "max") | components["schemas"]["Reference"] | null;
        };
        /** @description A vector of the columns of a user. */
        readonly UserAttributePoolingEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "user_attribute_pooling";
            /** @description The user whose columns count; this or input_user_features. */
            readonly input_user_id?: string | number | null;
            /** @description Columns in place of those of a user. */
            readonly input_user_features?: {
                readonly [key: string]: unknown;
            } | null;
        };
        /** @description A vector of the columns of an item. */
        readonly ItemAttributePoolingEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "item_attribute_pooling";
            /** @description The item whose columns count; this or input_item_features. */
            readonly input_item_id?: string | number | null;
            /** @description Columns in place of those of an item. */
            readonly input_item_features?: {
                readonly [key: string]: unknown;
            } | null;
        };
        /** @description The vector that the training gave a user. */
        readonly PrecomputedUserEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "precomputed_user";
            /** @description The user; null is nobody. */
            readonly input_user_id: string | number | null;
        };
        /** @description The vector that the training gave an item. */
        readonly PrecomputedItemEncoder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "precomputed_item";
            /** @description The item; null is none. */
            readonly input_item_id: string | number | null;
        };
        readonly FilterStep: components["schemas"]["PrebuiltFilterStep"] | components["schemas"]["ExpressionFilterStep"] | components["schemas"]["TruncateStep"];
        readonly PrebuiltFilterStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "prebuilt";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description A filter of the model. */
            readonly filter_ref: string;
            /** @description Whose; a personal filter without it leaves nothing out. */
            readonly input_user_id?: string | number | null;
        };
        readonly ExpressionFilterStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "expression";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description A condition over the columns in SQL, such as `price < 40 AND array_has(tags, 'linen')`. Only what it is true for stays. */
            readonly expression: string;
        };
        readonly TruncateStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "truncate";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /**
             * @description The first so many stay.
             * @default 500
             */
            readonly max_length?: number | components["schemas"]["Reference"] | null;
        };
        readonly ScoreStep: components["schemas"]["ScoreEnsembleStep"] | components["schemas"]["PassthroughStep"];
        readonly ScoreEnsembleStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "score_ensemble";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /** @description A formula over policies, columns and retrieval: see the reference of value models. */
            readonly value_model: string;
            /** @description For whom the policies score. */
            readonly input_user_id?: string | number | null;
            /** @description Columns of the user; they stand before those that the model has. */
            readonly input_user_features?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description What the user did in this session, oldest first; counts after what is stored. */
            readonly input_interactions_item_ids?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
        };
        /** @description Keeps the order of retrieval. */
        readonly PassthroughStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "passthrough";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
        };
        readonly ReorderStep: components["schemas"]["ExplorationStep"] | components["schemas"]["BoostedStep"] | components["schemas"]["DiversityStep"];
        readonly ExplorationStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "exploration";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /**
             * @description Share of the places that goes to the items with the fewest interactions.
             * @default 0.5
             */
            readonly strength?: number | components["schemas"]["Reference"] | null;
        };
        readonly BoostedStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "boosted";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /**
             * @description Share of the places that items whose column `boost` is 1 hold at least, counted from the top; 1 puts them all first.
             * @default 0.5
             */
            readonly strength?: number | components["schemas"]["Reference"] | null;
        };
        readonly DiversityStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "diversity";
            /** @description A name of its own, for the value model and the explanation; unique in its stage. */
            readonly name?: string | null;
            /**
             * @description How much likeness to the places before counts against an item (maximal marginal relevance).
             * @default 0.5
             */
            readonly strength?: number | components["schemas"]["Reference"] | null;
            /**
             * @description So many places before one are compared with it.
             * @default 30
             */
            readonly diversity_lookback_window?: number | components["schemas"]["Reference"] | null;
            /**
             * @description No item moves up by more than this.
             * @default 30
             */
            readonly diversity_lookforward_window?: number | components["schemas"]["Reference"] | null;
            /** @description Columns in which items are compared. */
            readonly diversity_attributes?: readonly (string | number)[] | components["schemas"]["Reference"] | null;
            /** @description An embedding whose vectors are compared. */
            readonly text_encoding_embedding_ref?: string | null;
        };
        readonly QueryResponse: {
            readonly results: readonly components["schemas"]["QueryResult"][];
            /**
             * @description What the ids are ids of.
             * @enum {string}
             */
            readonly entity_type: "item" | "user" | "attribute";
            /** @description Only with return_explanation. */
            readonly explanation?: components["schemas"]["Explanation"];
        };
        readonly QueryResult: {
            readonly id: string;
            readonly score: number;
            /** @description Columns; absent without return_metadata. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /** @description Vectors by the name of the embedding; only of those that the query asks for. */
            readonly embeddings?: {
                readonly [key: string]: readonly number[] | null;
            };
        };
        readonly Explanation: {
            /** @description The name of a saved query. */
            readonly query_name: string | null;
            readonly query_type: string;
            /** @description As they were used, defaults filled in. */
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            readonly pagination_id: string | null;
            readonly retrieve_stage: components["schemas"]["ExplainedStage"];
            readonly filter_stage: components["schemas"]["ExplainedStage"];
            readonly score_stage: components["schemas"]["ExplainedStage"];
            readonly reorder_stage: components["schemas"]["ExplainedStage"];
            readonly total_execution_time_ms: number;
            readonly final_result_count: number;
            readonly limit_applied: number;
            /** @description What was odd, such as values that counted as 0 because they were NULL or not finite. */
            readonly warnings?: readonly string[];
        };
        readonly ExplainedStage: {
            readonly stage_name: string;
            readonly execution_time_ms: number;
            readonly input_count: number;
            readonly output_count: number;
            readonly steps: readonly components["schemas"]["ExplainedStep"][];
        };
        readonly ExplainedStep: {
            /** @description The name of the step, or one made of its type and place. */
            readonly step_name: string;
            readonly step_type: string;
            readonly input_count: number;
            readonly output_count: number;
            readonly execution_time_ms: number;
            /** @description What else there is to say of it. */
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            /** @description Of retrieve steps. */
            readonly retrieved_count?: number;
            /** @description Of retrieve steps. */
            readonly limit?: number;
            /** @description Of filter steps. */
            readonly filter_type?: string;
            /** @description Of filters by an expression. */
            readonly expression?: string;
            /** @description Of filter steps: how many went. */
            readonly items_filtered?: number;
            /** @description Of score steps. */
            readonly value_model?: string;
            /** @description Of score steps. */
            readonly score_distribution?: components["schemas"]["Distribution"];
            /** @description Of score steps, by policy. */
            readonly policy_scores?: {
                readonly [key: string]: components["schemas"]["Distribution"];
            };
            /** @description Of score steps. */
            readonly user_interaction_count?: number;
            /** @description Of reorder steps. */
            readonly strength?: number;
            /** @description Of reorder steps: how many changed their place. */
            readonly items_reordered?: number;
            /** @description Of diversity. */
            readonly diversity_lookback_window?: number;
            /** @description Of diversity. */
            readonly diversity_lookforward_window?: number;
        };
        /** @description How scores lie; null where nothing has one. */
        readonly Distribution: {
            /** @description Candidates that have a score. */
            readonly count: number;
            readonly min: number | null;
            readonly max: number | null;
            readonly mean: number | null;
            /** @description The standard deviation. */
            readonly std: number | null;
            readonly median: number | null;
        };
        readonly QueryList: {
            readonly queries: readonly string[];
        };
        readonly SavedQueryInfo: {
            readonly name: components["schemas"]["Name"];
            /** @description The names of its parameters. */
            readonly params: readonly string[];
            readonly query: components["schemas"]["Query"];
            /** @enum {string} */
            readonly query_type: "rank_items" | "rank_users" | "rerank_items" | "rerank_items_by_attributes" | "rank_attributes";
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
        /** @description What the query found, best first. */
        readonly QueryAnswer: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["QueryResponse"];
            };
        };
        /** @description There is no saved query of that name. */
        readonly QueryNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "title": "Not found",
                 *       "detail": "there is no saved query 'feed'",
                 *       "type": "urn:siftwren:error:not-found",
                 *       "instance": "/v1/queries/feed#req-5f0c1a2b-7"
                 *     }
                 */
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is wrong; each entry says where. */
        readonly WrongQuery: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ValidationError"];
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
        /** @example feed */
        readonly query_name: components["schemas"]["Name"];
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
    readonly run_query: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QueryRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["QueryAnswer"];
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["ModelNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongQuery"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly list_queries: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All saved queries. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queries": [
                     *         "feed",
                     *         "search"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["QueryList"];
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
    readonly get_query: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example feed */
                readonly query_name: components["parameters"]["query_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The query as it was saved, and its parameters. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "feed",
                     *       "params": [
                     *         "uid"
                     *       ],
                     *       "query": {
                     *         "type": "rank_items",
                     *         "retrieve": [
                     *           {
                     *             "type": "item_similarity",
                     *             "embedding_ref": "als_64",
                     *             "query_encoder": {
                     *               "type": "precomputed_user",
                     *               "input_user_id": "$param.uid"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "query_type": "rank_items"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SavedQueryInfo"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["QueryNotFound"];
            readonly 422: components["responses"]["WrongKey"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
        };
    };
    readonly run_saved_query: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example feed */
                readonly query_name: components["parameters"]["query_name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "parameters": {
                 *         "uid": "u-17"
                 *       },
                 *       "return_metadata": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["SavedQueryRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["QueryAnswer"];
            readonly 400: components["responses"]["ModelNotActive"];
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            readonly 404: components["responses"]["QueryNotFound"];
            readonly 408: components["responses"]["SlowBody"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["WrongQuery"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Busy"];
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
                     *       "model_url": "http://127.0.0.1:8787/v1/models/shop"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelCreated"];
                };
            };
            /** @description A dataset or transform that the model reads is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'orders' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
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
            /** @description A model, or a saved query of another model, of that name exists. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
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
                 *       "version": "v2",
                 *       "name": "shop",
                 *       "data": {
                 *         "interaction_dataset": {
                 *           "type": "table",
                 *           "name": "events"
                 *         },
                 *         "item_dataset": {
                 *           "type": "table",
                 *           "name": "catalogue",
                 *           "columns": [
                 *             "item_id",
                 *             "title",
                 *             "price"
                 *           ],
                 *           "where": "price > 0"
                 *         }
                 *       },
                 *       "training": {
                 *         "schedule": "@weekly",
                 *         "models": [
                 *           {
                 *             "name": "ease",
                 *             "policy_type": "ease",
                 *             "regularization": 300
                 *           }
                 *         ]
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
                     *       "model_url": "http://127.0.0.1:8787/v1/models/shop"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ModelCreated"];
                };
            };
            /** @description A dataset or transform that the model reads is not ACTIVE, or the body broke off. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 400,
                     *       "title": "Not active",
                     *       "detail": "the dataset 'orders' is DEPLOYING, not ACTIVE; wait until it is ACTIVE",
                     *       "type": "urn:siftwren:error:not-active",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 401: components["responses"]["UnknownKey"];
            readonly 403: components["responses"]["WrongScope"];
            /** @description There is no model, or no dataset or transform, of that name. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 404,
                     *       "title": "Not found",
                     *       "detail": "there is no model 'shop'",
                     *       "type": "urn:siftwren:error:not-found",
                     *       "instance": "/v1/models#req-5f0c1a2b-7"
                     *     }
                     */
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            readonly 408: components["responses"]["SlowBody"];
            /** @description The model is being trained, or a saved query of another model has one of the names. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 409,
                     *       "title": "Being trained",
                     *       "detail": "the model 'shop' is FETCHING; it can be changed once it is ACTIVE or ERROR",
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
                     *             "training",
                     *             "models",
                     *             0,
                     *             "regularisation"
                     *           ],
                     *           "msg": "ease has no setting 'regularisation': did you mean 'regularization'?",
                     *           "type": "unknown_field"
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
                    readonly "application/json": components["schemas"]["ModelDetails"] | components["schemas"]["OlderModel"];
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
