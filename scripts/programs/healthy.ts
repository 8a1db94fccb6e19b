// The health check of the container image: exits with 0 if the server of this container is healthy.
import { isIPv6 } from 'node:net'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'

loadEnvFiles(process.cwd())
const { PORT, HOST } = process.env
const address = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
const host = isIPv6(address) ? `[${address}]` : address
const answer = await fetch(`http://${host}:${PORT || 3000}/api/health`).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
