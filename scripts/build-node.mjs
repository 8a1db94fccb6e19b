// Builds what Node runs, without the pages.
import './command-line/broken-pipe.mjs'
import { buildServer } from './build/build-server.mjs'

await buildServer()
