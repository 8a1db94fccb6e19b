import { mkdirSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { writePrivate } from './environment'

/** A longer line or letter is none of ours. */
const maxLine = 4_096
const maxLetter = 1_048_576

/**
 * A mail server (RFC 5321) that keeps each letter as a file in the folder, named by its time and its recipient: the server sends
 * as it would to any other.
 */
export function mailServer(folder: string): Server {
  mkdirSync(folder, { mode: 0o700, recursive: true })
  return createServer((socket) => converse(socket, folder))
}

function converse(socket: Socket, folder: string): void {
  let rest = ''
  let recipient = ''
  let letter: string[] | null = null
  let size = 0
  const reply = (text: string) => socket.write(`${text}\r\n`)
  const refuse = (text: string) => void socket.end(`${text}\r\n`)

  /** Takes a line of the letter until the one that is a dot alone (section 4.5.2). */
  const takeLine = (line: string, lines: string[]) => {
    if (line !== '.') {
      size += line.length
      lines.push(line.replace(/^\./, ''))
      if (size > maxLetter) refuse('552 too long')
      return
    }
    letter = null
    writePrivate(join(folder, fileName(recipient)), `${lines.join('\r\n')}\r\n`)
    reply('250 kept')
  }
  const obey = (line: string) => {
    const [command = ''] = line.toUpperCase().split(/[ :]/, 1)
    if (['EHLO', 'HELO', 'MAIL', 'RSET', 'NOOP'].includes(command)) reply('250 ok')
    else if (command === 'RCPT') {
      recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
      reply('250 ok')
    } else if (command === 'DATA') {
      letter = []
      size = 0
      reply('354 go on, and end with a dot')
    } else if (command === 'QUIT') refuse('221 bye')
    // A page could send a request here, whose body would be commands.
    else refuse('500 unknown command')
  }
  socket.setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\r\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLine) return refuse('500 line too long')
    for (const line of lines) {
      if (socket.writableEnded) return
      if (letter) takeLine(line, letter)
      else obey(line)
    }
  })
  reply('220 latchkey dev')
}

let count = 0

/** An address may have characters that a path must not. */
const fileName = (recipient: string) =>
  `${new Date().toISOString().replaceAll(':', '-')}-${count++}-${recipient.replace(/[^\w.@+-]/g, '_')}.eml`
