import { discovery } from '@/lib/http/resources/discovery'
import { fromBackend } from '@/lib/http/resources/from-backend'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/openid-configuration', fromBackend(discovery))
