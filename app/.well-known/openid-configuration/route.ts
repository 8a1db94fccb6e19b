import { discovery } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/openid-configuration', discovery, { cacheable: true })
