// Builds the server without the pages, whatever was built before: for tests/mutation.
import './command-line/broken-pipe.mjs'
import { buildServer } from './build/build-server.mjs'

await buildServer()
