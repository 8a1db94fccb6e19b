import { discovery } from '@/lib/http/resources/discovery'
import { fromBackend } from '@/lib/http/resources/from-backend'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/oauth-authorization-server', fromBackend(discovery))
