// Writes the types of the platform's API from the documents in api-spec: src/generated/apiV1.ts and apiV2.ts.
// With --check it only compares, and fails when a file is not what the documents make now.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const site = join(dirname(fileURLToPath(import.meta.url)), '..');
const isCheck = process.argv.includes('--check');
const stale = [];

for (const version of ['v1', 'v2']) {
  const source = `api-spec/${version}/openapi.yaml`;
  const nodes = await openapiTS(pathToFileURL(join(site, '..', source)), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    immutable: true,
  });
  const text = `// Made from ${source} by \`npm run generate:api\`; not edited by hand.\n\n${astToString(nodes)}`;
  const name = `src/generated/api${version.toUpperCase()}.ts`;
  const target = join(site, name);
  if (!isCheck) {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
    stale.push(`${name} is not what ${source} makes`);
  }
}

if (stale.length > 0) {
  console.error(`${stale.join('\n')}: run \`npm run generate:api\` in site/`);
  process.exitCode = 1;
}
