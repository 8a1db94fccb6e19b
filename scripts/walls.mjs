// `npm run walls`: writes the linter's rules about imports from the table of rooms; with --check it only compares.
import { readOptions } from './command-line/read-options.mjs'
import { writeGenerated } from './support/generated-file.mjs'
import { linterRules } from './walls/linter-rules.mjs'

const description = "Writes the linter's rules about imports, biome.walls.json, from scripts/walls/rooms.mjs."
const { check } = readOptions('npm run walls --', description, { '--check': 'only compare' })
writeGenerated('biome.walls.json', linterRules(), { check: check === true, command: 'npm run walls' })
