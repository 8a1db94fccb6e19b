import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

// A program of one's own: it prints where its person allows it in, and what the tool says. Each line of input asks once more.
const { MCP_SERVER, CLIENT_ID, PORT, SDK } = process.env
const { Client, StreamableHTTPClientTransport } =
  SDK === '2'
    ? await import('@modelcontextprotocol/client')
    : {
        ...(await import('@modelcontextprotocol/sdk/client/index.js')),
        ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
      }

let [client, tokens, verifier, state] = []
const provider = {
  redirectUrl: `http://127.0.0.1:${PORT}/callback`,
  clientMetadataUrl: CLIENT_ID,
  clientMetadata: { client_name: 'Agent', redirect_uris: [`http://127.0.0.1:${PORT}/callback`] },
  state: () => (state = crypto.randomUUID()),
  clientInformation: () => client,
  saveClientInformation: (saved) => (client = saved),
  tokens: () => tokens,
  saveTokens: (saved) => (tokens = saved),
  codeVerifier: () => verifier,
  saveCodeVerifier: (saved) => (verifier = saved),
  redirectToAuthorization: (url) => console.log(`open ${url}`),
}

const callbacks = createServer().listen(PORT, '127.0.0.1')
await once(callbacks, 'listening')

async function callback() {
  const [request, response] = await once(callbacks, 'request')
  const { pathname, searchParams } = new URL(request.url, provider.redirectUrl)
  // Browsers ask for an icon, too.
  return pathname === '/callback' ? [searchParams, response] : callback()
}

async function connected() {
  const agent = new Client({ name: 'agent', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(MCP_SERVER), { authProvider: provider })
  try {
    await agent.connect(transport)
    return agent
  } catch (error) {
    if (error.constructor.name !== 'UnauthorizedError') throw error
  }
  const [searchParams, response] = await callback()
  if (searchParams.get('state') !== state) throw new Error(`another state: ${searchParams}`)
  await transport.finishAuth(SDK === '2' ? searchParams : searchParams.get('code'))
  response.end('Close this page.')
  return connected()
}

for await (const _ of createInterface(process.stdin)) {
  const agent = await connected()
  const {
    tools: [{ name }],
  } = await agent.listTools()
  const { content } = await agent.callTool({ name, arguments: {} })
  console.log(content[0].text)
  await agent.close()
  // As if its time were over.
  tokens = { ...tokens, access_token: 'over' }
}
