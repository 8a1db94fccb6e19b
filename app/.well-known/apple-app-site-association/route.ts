import { resource } from '@/lib/http/route'
import { associatedApps } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = resource('GET /.well-known/apple-app-site-association', associatedApps)
