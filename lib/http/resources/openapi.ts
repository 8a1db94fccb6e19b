import { openApiDocument } from '@/lib/api/openapi/document'
import { settings } from '@/lib/settings/settings'

let body: string | undefined

export function openApi(): Response {
  body ??= JSON.stringify(openApiDocument(settings()))
  const headers = {
    'Cache-Control': 'public, max-age=3600',
    'Content-Type': 'application/json',
  }
  return new Response(body, { headers })
}
