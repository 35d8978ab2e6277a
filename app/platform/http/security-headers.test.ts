import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SITE_URL'] = 'https://example.com'
  process.env['BOOKING_URL'] = 'https://cal.example.org/you/30min'
})

const { documentPolicy, inertPolicy, securityHeaders } = await import('./security-headers.server.ts')

const directives = (policy: string) => Object.fromEntries(policy.split('; ').map((directive) => directive.split(/ (.*)/s).slice(0, 2)))

test('a site on https says that it is never to be asked for without', () => {
  expect(securityHeaders['strict-transport-security']).toBe('max-age=63072000')
  expect(documentPolicy({ styles: '' })).toContain('upgrade-insecure-requests')
})

test('its subdomains say so only when the operator has decided it', async () => {
  vi.resetModules()
  vi.stubEnv('HSTS_INCLUDE_SUBDOMAINS', 'true')
  const { securityHeaders: headers } = await import('./security-headers.server.ts')
  expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
})

test('a public page runs files of ours and nothing that stands in it, and has our style sheet in it', () => {
  const policy = directives(documentPolicy({ styles: 'body{}' }))
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': expect.stringMatching(/^'self' 'sha256-[^']+' 'sha256-fJgEClQWV1hGkK4qHMO0KotTsVnMYMXTq7\/suurGyUo='$/),
    'frame-ancestors': "'none'",
  })
  expect(policy['frame-src']).toBe('https://cal.example.org')
})

test('a live page runs what carries its nonce, too', () => {
  expect(directives(documentPolicy({ nonce: 'abc', styles: 'body{}' }))['script-src']).toBe("'self' 'nonce-abc'")
})

test('what is no document may do nothing at all', () => {
  expect(inertPolicy).not.toMatch(/'self'|https:|unsafe/)
})
