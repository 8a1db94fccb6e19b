import { resource } from '@/lib/http/route'
import { keySet } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = resource('/.well-known/jwks.json', keySet)
