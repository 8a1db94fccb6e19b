// Builds the server of the copy that has the mutants, without the pages, whatever was built before.
import '../../scripts/command-line/broken-pipe.mjs'
import { buildServer } from '../../scripts/build/build-server.mjs'

await buildServer()
