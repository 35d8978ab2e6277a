import type { FastifyRequest } from 'fastify'
import type { Busy } from './work-queue.server.ts'
import { inertPolicy } from './security-headers.server.ts'
import { type Xml, xml } from '#app/platform/text/xml.ts'

/** The page shown under too much load. A visitor whose form was refused finds all fields in it, with a button that sends them again. */
export function busyPage({ statusText, data, extra }: Busy, request: FastifyRequest) {
  const form = request.requestContext.isRefusedLast && isReadable(request) ? sendAgain(request) : undefined
  const { text: html } =
    xml`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${statusText}</title><h1>${statusText}</h1><p>${data}</p>${form}</html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': form ? inertPolicy.replace(`form-action 'none'`, `form-action 'self'`) : inertPolicy,
    'retry-after': String(extra.retryAfter),
  }
  return { html, headers }
}

/** The page cannot repeat fields in another encoding, so it must not promise them. */
function isReadable({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(headers['content-type'] ?? '')
}

function sendAgain({ url, body }: FastifyRequest): Xml {
  const fields = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
  const kept = [...fields].map(([name, value]) => xml`<input type="hidden" name="${name}" value="${value}">`)
  return xml`<form method="post" action="${url}">${kept}<p>Everything you wrote is kept on this page.</p><button>Send again</button></form>`
}
