import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** @typedef {{ id: string, secret: string, redirectUri: string }} App */
/** @typedef {{ status: number, location: string, cookie: string, body: string }} Answer */

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * One request, without following what it answers.
 *
 * @param {{ port: number }} server
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {string} [body]
 * @returns {Promise<Answer>}
 */
export function ask({ port }, method, path, headers = {}, body) {
  return new Promise((done, fail) => {
    const all = { Host: `localhost:${port}`, ...headers }
    const sent = request({ host: '127.0.0.1', port, method, path, headers: all, agent }, async (answer) => {
      const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0])
      const location = answer.headers.location ?? ''
      done({ status: answer.statusCode ?? 0, location, cookie: cookies.join('; '), body: await text(answer) })
    })
    sent.on('error', fail).end(body)
  })
}

export const formOf = () => ({ 'Content-Type': 'application/x-www-form-urlencoded' })

const verifier = 'v'.repeat(43)

/** @param {App} app */
export const authorizationRequest = ({ id, redirectUri }) =>
  new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()

/** @param {App} app @param {string} code */
export const tokenRequest = ({ id, secret, redirectUri }, code) =>
  new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: id,
    client_secret: secret,
  }).toString()
