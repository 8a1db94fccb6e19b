import { fromBackend } from '@/lib/http/remote-backend/from-backend'
import { discovery } from '@/lib/http/resources/discovery'
import { resource } from '@/lib/http/route'

export const dynamic = 'force-dynamic'
export const GET = resource('GET /.well-known/openid-configuration', fromBackend(discovery))
