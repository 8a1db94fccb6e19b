import { resource } from '@/lib/http/route'
import { changePassword } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = resource('GET /.well-known/change-password', changePassword)
