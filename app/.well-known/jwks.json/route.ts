import { keySet } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/jwks.json', keySet, { cacheable: true })
