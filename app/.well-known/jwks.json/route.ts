import { resource } from '@/lib/http/route'
import { keySet } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = resource('GET /.well-known/jwks.json', keySet)
