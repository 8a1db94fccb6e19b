import * as z from 'zod'
import { rows } from '@/lib/api/endpoints'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { postForm, requestOf } from '../../support/openid/requests'

const fieldsOf = (body: z.ZodType | undefined) => (body instanceof z.ZodObject ? Object.keys(body.shape) : [])

/** PostgreSQL takes no NUL in text. */
for (const row of rows) {
  const { method, path } = row
  const parameters = (row.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
  const fields = method === 'GET' ? parameters : fieldsOf(row.body)
  if (fields.length === 0 || row.caller === 'cron') continue

  test(`${method} ${path} answers a NUL in any field without an internal error`, { tag: '@networked' }, async ({
    client,
    app,
  }) => {
    await signUp(client)
    const flow = new Flow(client, app)
    const valid = {
      username: randomName(),
      password: PASSWORD,
      request: requestOf(await flow.ask()),
      allow: true,
      grant_type: 'authorization_code',
      client_secret: app.secret,
      redirect_uri: CALLBACK,
      ...Object.fromEntries(flow.parameters()),
    }
    const others = Object.fromEntries(Object.entries(valid).filter(([name]) => fields.includes(name)))
    for (const field of fields) {
      const values = { ...others, [field]: '\0' }
      const query = new URLSearchParams(values as Record<string, string>)
      const answer =
        method === 'GET'
          ? await client.get(`${path}?${query}`)
          : row.form
            ? await postForm(client, path, query)
            : await client.post(path, values)
      expect(answer.status, `${field}: ${answer.text}`).toBeLessThan(500)
    }
  })
}
