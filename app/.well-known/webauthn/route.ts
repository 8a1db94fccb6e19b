import { relatedOrigins } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/webauthn', relatedOrigins, { ownHeaders: true, onFrontEnd: 'answer' })
