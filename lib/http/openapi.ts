import { openApiDocument } from '@/lib/api/openapi'

let body: string | undefined

/** The OpenAPI document of the API. It changes only with the build. */
export function openApi(): Response {
  body ??= JSON.stringify(openApiDocument())
  const headers = {
    'Cache-Control': 'public, max-age=3600',
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(body, { headers })
}
