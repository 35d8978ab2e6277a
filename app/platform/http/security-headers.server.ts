import { createHash } from 'node:crypto'
import { viewTransitionStyle } from '#app/platform/browser/view-transition.ts'
import { isDevelopment } from '#app/platform/process/development.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'

const isHttps = env.SITE_URL.startsWith('https:')
/** The calendar and, for those signed in or on a local installation, received emails. */
const framesFor = (nonce: string | undefined) => [
  ...(env.BOOKING_URL ? [new URL(env.BOOKING_URL).origin] : []),
  ...(nonce || isInboxOpen ? [`'self'`] : []),
]

/** On every response. */
export const securityHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // An embedded calendar would need this header as well, and it is another site's. Images of other sites load without cookies.
  ...(!env.BOOKING_URL && { 'cross-origin-embedder-policy': 'credentialless' }),
  ...(isHttps && {
    'strict-transport-security': `max-age=63072000${env.HSTS_INCLUDE_SUBDOMAINS ? '; includeSubDomains' : ''}`,
  }),
}

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The form of an order leads on to the page of the payment provider. */
const formTargets = [`'self'`, ...(env.PAYMENTS.includes('stripe') ? ['https://checkout.stripe.com'] : [])]

/** The style element that every document has. */
const transitionSource = hashSource(viewTransitionStyle)

/** For responses that are not documents: nothing may run, load or frame them. */
export const inertPolicy = `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/**
 * The content policy of a document. A hydrated one has a nonce for its inline scripts and for the style elements of its components;
 * a public one runs only our own files, and has the style sheet of the site inside it: `styles` is its text.
 */
export function documentPolicy({ nonce, styles }: { nonce?: string | undefined; styles: string }): string {
  const frames = framesFor(nonce)
  if (isDevelopment) return `default-src 'self' 'unsafe-inline'; img-src 'self' https: data:; connect-src 'self' ws:`
  return [
    `default-src 'none'`,
    `script-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    `style-src 'self' ${transitionSource} ${nonce ? `'nonce-${nonce}'` : hashSource(styles)}`,
    `img-src 'self' https: data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action ${formTargets.join(' ')}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
