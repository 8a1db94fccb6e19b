// `npm run walls`: writes what follows from the table of rooms; with --check it only compares.
import { readOptions } from './command-line/read-options.mjs'
import { writeGenerated, writeGeneratedPart } from './support/generated-file.mjs'
import { arrows } from './walls/arrows.mjs'
import { linterRules } from './walls/linter-rules.mjs'

const description =
  "Writes the linter's rules about imports, biome.walls.json, and the arrows in CONTRIBUTING.md from scripts/walls/rooms."
const { check } = readOptions('npm run walls --', description, { '--check': 'only compare' })
const how = { check: check === true, command: 'npm run walls' }

writeGenerated('biome.walls.json', linterRules(), how)
writeGeneratedPart('CONTRIBUTING.md', 'arrows', arrows(), how)
