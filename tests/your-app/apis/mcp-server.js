import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'
import { protectedResource } from 'latchkey-kit/api'

const api = protectedResource({
  resource: process.env.API_URL ?? 'https://notes.example.com/mcp',
  scopes: ['notes.read'],
})
const app = express()

app.get(api.path, (_request, response) => response.set('Access-Control-Allow-Origin', '*').json(api.metadata()))

app.post('/mcp', express.json(), async (request, response) => {
  const user = await api.verify(request, 'notes.read')
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool('whose-notes', { description: 'Says whose notes these are' }, () => ({
    content: [{ type: 'text', text: `The notes of ${user.id}` }],
  }))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  response.on('close', () => server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})

app.listen(process.env.PORT ?? 8080, '127.0.0.1')
