import { createHmac } from 'node:crypto'
import type { EmittedEvent } from '#app/platform/jobs/webhook-event.server.ts'
import { isWebhookEvent, webhookEvents } from '#app/platform/jobs/webhook-event.ts'
import { TEST_EVENT } from './webhook.ts'

type Message = { messageId: string; body: string; at: Date }

/** The headers of an attempt, after the Standard Webhooks specification. Each secret, as its owner got it, adds a signature. */
export function signedHeaders({ messageId, body, at }: Message, secrets: string[]): Record<string, string> {
  const id = `msg_${messageId}`
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** The body that an endpoint gets. It is stored, so that every attempt sends the same bytes. */
export function webhookBody({ type, timestamp, data }: EmittedEvent, format: 'standard' | 'chat'): string {
  return JSON.stringify(format === 'chat' ? { text: chatText(type, data) } : { type, timestamp, data })
}

/** A line for people. Chat services read `<!channel>` and links out of a text, and visitors write names. */
function chatText(type: string, data: Record<string, unknown>): string {
  const label = isWebhookEvent(type) ? webhookEvents[type] : type === TEST_EVENT ? 'Test message' : type
  const stage = typeof data['to'] === 'string' ? `→ ${data['to']}` : undefined
  const facts = [data['name'], data['company'], data['title'], data['service'], stage, data['startsAt'], data['reference']]
  const texts = facts.filter((fact) => typeof fact === 'string' && fact !== '').map((fact) => escapeChat(String(fact)))
  const link = typeof data['url'] === 'string' ? ` ${data['url']}` : ''
  return `${label}${texts.length > 0 ? `: ${texts.join(' · ')}` : ''}${link}`
}

function escapeChat(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
