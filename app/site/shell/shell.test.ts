import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'
import { signedInAs } from '#test/signed-in.ts'
import { identity } from '#app/content/identity.ts'

const app = await startApp()

const everyone = ['/services', '/case-studies', '/datasets', '/blog', '/hire-web-scraping-developer', '/about', '/contact']
const signedIn = ['/dashboard', '/data-marketplace']

async function read(url: string, headers: Record<string, string> = {}) {
  const { body } = await app.inject({ url, headers })
  const part = (start: string, end: string) => body.slice(body.indexOf(start), body.indexOf(end, body.indexOf(start)))
  return {
    body,
    header: part('<header', '</header>'),
    nav: part('<nav aria-label="Main"', '</nav>'),
    drawer: part('id="site-menu"', '</header>'),
    footer: part('<footer', '</footer>'),
  }
}
const linksOf = (html: string) => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href)

describe('the header', () => {
  test('leads a visitor to the public pages', async () => {
    for (const url of ['/', '/about', '/login', '/nowhere']) expect([url, linksOf((await read(url)).nav)]).toEqual([url, everyone])
  })

  test('leads home by the logo, and to the contact page by its button', async () => {
    const { header } = await read('/')
    expect(linksOf(header)[0]).toBe('/')
    expect(header).toMatch(/<a [^>]*href="\/contact"[^>]*>Get Started Today<\/a>/)
  })

  test('offers nothing else where people order, pay or sign', async () => {
    expect((await read('/withdraw')).header).not.toContain('Get Started Today')
    expect((await read('/verify')).header).toContain('Get Started Today')
  })

  test('adds the dashboard and the marketplace only for signed-in people', async () => {
    const customer = await signedInAs('customer')
    expect(linksOf((await read('/about', customer)).nav)).toEqual([...everyone, ...signedIn])
    expect(linksOf((await read('/', customer)).nav)).toEqual(expect.arrayContaining([...everyone, ...signedIn]))
    expect(linksOf((await read('/')).header)).not.toContain('/dashboard')
  })

  test('is the same for every role: none is asked before a link is listed', async () => {
    const headers = await Promise.all(
      (['customer', 'staff', 'owner'] as const).map(async (role) => read('/about', (await signIn(role)).headers)),
    )
    const [customer, staff, owner] = headers.map(({ header }) => header.replaceAll(/user-[\w-]+@example\.com/g, ''))
    expect(customer).toContain('Ada')
    expect([staff, owner]).toEqual([customer, customer])
  })

  test('calls people by their first name, else by their address, with their picture where they have one', async () => {
    const picture = 'https://pictures.example/ada.png'
    const named = await signIn('customer', { userMetadata: JSON.stringify({ first_name: 'Ada', avatar_url: picture }) })
    const { header } = await read('/about', named.headers)
    expect(header.match(new RegExp(`<img [^>]*src="${picture}"`, 'g'))).toHaveLength(2)
    expect(textOf(header)).toContain('Ada')

    const nameless = await signIn('customer', { email: 'nameless@example.com', userMetadata: '{}' })
    const { header: other } = await read('/about', nameless.headers)
    expect(textOf(other)).toContain('nameless@example.com')
    expect(other).not.toContain('<img')
  })

  test('marks the page that is open, and no other', async () => {
    const { nav } = await read('/about')
    expect(nav.match(/aria-current="page"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*aria-current="page"/g)).toHaveLength(1)
    expect(nav).toMatch(/<a (?=[^>]*aria-current="page")[^>]*href="\/about"/)
  })
})

describe('the drawer of small screens', () => {
  test('offers a visitor to log in, below the links', async () => {
    const { drawer } = await read('/')
    expect(linksOf(drawer)).toEqual([...everyone, '/api/login', '/contact'])
  })

  test('is at the right and 80 units wide', async () => {
    const { drawer } = await read('/')
    expect(drawer).toMatch(/class="[^"]*\bw-80\b/)
  })

  test('opens without script: a button names it, and it is a popover', async () => {
    const { header } = await read('/')
    expect(header).toMatch(/<button [^>]*popoverTarget="site-menu"/i)
    expect(header).toMatch(/id="site-menu" popover="auto"/)
  })

  test('shows the signed-in person and a link to sign out', async () => {
    const { drawer } = await read('/about', await signedInAs('customer'))
    expect(linksOf(drawer)).toEqual([...everyone, ...signedIn, '/api/logout', '/admin/users', '/account', '/?view=public', '/contact'])
    expect(drawer).toMatch(/@example\.com/)
  })
})

describe('the sidebar of the workspace', () => {
  const ofSidebar = async (role: 'customer' | 'staff' | 'owner') => {
    const { header, nav } = await read('/dashboard', await signedInAs(role))
    return { header, groups: [...nav.matchAll(/<ul aria-label="([^"]*)"/g)].map(([, group]) => group), links: linksOf(nav) }
  }

  test('has the areas of the role in groups, and below them the public site', async () => {
    const customer = await ofSidebar('customer')
    expect(customer.groups).toEqual(['Work', 'Data', 'Public site'])
    expect(customer.links).toEqual(['/', '/dashboard', '/notifications', '/data-marketplace', ...everyone])
    const staff = await ofSidebar('staff')
    expect(staff.groups).toEqual(['Work', 'Data', 'Site', 'People', 'Public site'])
    expect(staff.links).toEqual(expect.arrayContaining(['/dashboard/letters', '/admin/products', '/admin/blog', '/admin/redirects']))
    expect(staff.links).not.toContain('/admin/users')
    expect((await ofSidebar('owner')).links).toContain('/admin/users')
  })

  test('has no button to sell anything, and the footer is one line with the legal texts', async () => {
    const { header, footer } = await read('/data-marketplace', await signedInAs('customer'))
    expect(header).not.toContain('Get Started Today')
    expect(linksOf(footer)).toEqual(['/privacy-policy', '/terms-of-service', '/cookie-policy'])
    expect(footer.replaceAll('<!-- -->', '')).toContain('© 2019-2025')
  })

  test('is narrow from the server on for those who folded it', async () => {
    const signedInHeaders = await signedInAs('customer')
    const folded = { ...signedInHeaders, cookie: 'rail=narrow' }
    expect((await read('/dashboard', signedInHeaders)).header).toContain('data-rail="wide"')
    expect((await read('/dashboard', folded)).header).toContain('data-rail="narrow"')
  })

  test('is only on pages of the workspace: public pages have the public header', async () => {
    const owner = await signedInAs('owner')
    for (const url of ['/', '/account', '/admin/redirects', '/dashboard/letters']) {
      expect([url, (await read(url, owner)).body.includes('data-rail=')]).toEqual([url, true])
    }
    for (const url of ['/?view=public', '/services', '/contact', '/nowhere']) {
      const { body, header } = await read(url, owner)
      expect([url, body.includes('data-rail='), header.includes('Get Started Today')]).toEqual([url, false, true])
    }
  })
})

describe('the footer', () => {
  test('leads to the services, to the company and to the contact page', async () => {
    const { footer } = await read('/')

    expect(linksOf(footer).filter((href) => href === '/services')).toHaveLength(4)
    expect(linksOf(footer)).toEqual(expect.arrayContaining(['/about', '/case-studies', '/contact', `mailto:${identity.email}`]))
  })

  test('leads to the three legal texts', async () => {
    const { footer } = await read('/')

    expect(linksOf(footer).filter((href) => /policy|terms/.test(href ?? ''))).toEqual([
      '/privacy-policy',
      '/terms-of-service',
      '/cookie-policy',
    ])
  })

  test('names a messaging app, a microblog, a professional network and a fourth; one without an address is no link', async () => {
    const { footer, body } = await read('/')
    const { messagingApp, microblog, professionalNetwork, fourthNetwork } = identity

    expect(fourthNetwork.url).toBeUndefined()
    expect(textOf(footer)).toContain([messagingApp, microblog, professionalNetwork, fourthNetwork].map(({ label }) => label).join(' '))
    expect(linksOf(footer).filter((href) => href?.startsWith('http'))).toEqual([messagingApp.url, microblog.url, professionalNetwork.url])
    expect(linksOf(body)).not.toContain('#')
  })

  test('has the copyright line', async () => {
    const { footer } = await read('/')

    expect(footer.replaceAll('<!-- -->', '')).toContain('© 2019-2025')
  })
})

test('every link of header and footer leads to a page', async () => {
  const { header, footer } = await read('/')
  const paths = new Set(linksOf(header + footer).filter((href) => href?.startsWith('/') && !href.startsWith('/api/')))
  for (const path of paths) expect([path, (await app.inject(path ?? '')).statusCode]).toEqual([path, 200])
})

test('a public page carries the styles that its policy allows and no script of its own; data for machines runs nowhere', async () => {
  for (const url of ['/about', '/services', '/nowhere']) {
    const { body, headers } = await app.inject({ url })
    const styles = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
    expect(styles).toHaveLength(2)
    for (const hash of styles) expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`)
    expect(body).not.toMatch(/ style="|<script(?! type="application\/ld\+json">)/)
  }
})
