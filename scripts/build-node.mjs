// Builds what Node runs, without the pages.
import './programs/broken-pipe.mjs'
import { buildServer } from './build/build-server.mjs'

await buildServer()
