import { resource } from '@/lib/http/route'
import { assetLinks } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = resource('GET /.well-known/assetlinks.json', assetLinks)
