// `npm run tables`: writes the parts of documents that are generated from code and data; with --check it only compares.
import { readOptions } from './command-line/read-options.mjs'
import { writeGeneratedPart } from './support/generated-file.mjs'
import { endpointsTables } from './tables/endpoints.mjs'
import { knownApps } from './tables/known-apps.mjs'

const description =
  'Writes the tables of endpoints in docs/api.md from lib/api/endpoints.ts, and the known apps in docs/openid.md from docs/apps.json.'
const { check } = readOptions('npm run tables --', description, { '--check': 'only compare' })
const how = { check: check === true, command: 'npm run tables' }

writeGeneratedPart('docs/api.md', 'endpoints', await endpointsTables(), how)
writeGeneratedPart('docs/openid.md', 'apps', knownApps(), how)
