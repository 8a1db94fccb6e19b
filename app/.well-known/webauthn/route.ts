import { relatedOrigins } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/webauthn', relatedOrigins, { cacheable: true, onFrontEnd: 'answer' })
