import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

const CALL = 'alert(1)'

/** HTML that runs script unless it is sanitized. */
const markup = [
  `<script>${CALL}</script>`,
  `<SCRIPT SRC=data:text/javascript,${CALL}></SCRIPT>`,
  `<img src=x onerror=${CALL}>`,
  `<img src="x" onerror="${CALL}" alt="`,
  `<svg onload=${CALL}>`,
  `<svg/onload=${CALL}//`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${CALL}>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<iframe src="javascript:parent.${CALL}"></iframe>`,
  `<object data="javascript:${CALL}"></object>`,
  `<embed src="javascript:${CALL}">`,
  `<body onload=${CALL}>`,
  `<input autofocus onfocus=${CALL}>`,
  `<details open ontoggle=${CALL}>`,
  `<video><source onerror=${CALL}></video>`,
  `<audio src=x onerror=${CALL}>`,
  `<marquee onstart=${CALL}>`,
  `<a href="javascript:${CALL}">a</a>`,
  `<form action="javascript:${CALL}"><button>a</button></form>`,
  `<button formaction="javascript:${CALL}">a</button>`,
  `<style>@import 'javascript:${CALL}'; *{background:url("javascript:${CALL}")}</style>`,
  `<link rel=stylesheet href="javascript:${CALL}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${CALL}">`,
  `<base href="javascript:${CALL}//">`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<!--><img src=x onerror=${CALL}>-->`,
  `<![CDATA[<img src=x onerror=${CALL}>]]>`,
  `<?xml <img src=x onerror=${CALL}> ?>`,
  `<div style="animation:a" onanimationstart=${CALL}>a</div>`,
  `<p onmouseover=${CALL} style="position:fixed;inset:0">a</p>`,
  `<textarea></textarea><img src=x onerror=${CALL}>`,
  `</title></script><script>${CALL}</script>`,
  `"><script>${CALL}</script>`,
  `'><img src=x onerror=${CALL}>`,
  `\`><img src=x onerror=${CALL}>`,
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `&#60;img src=x onerror=${CALL}&#62;`,
]

/** Addresses that run script. */
const addresses = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  ` javascript:${CALL}`,
  `java\tscript:${CALL}`,
  `java&#10;script:${CALL}`,
  `javascript&colon;${CALL}`,
  `&#106;avascript:${CALL}`,
  `javascript://%0a${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${CALL}'/>`,
  `vbscript:${CALL}`,
  `view-source:javascript:${CALL}`,
  `x" onerror="${CALL}`,
  `x' onload='${CALL}`,
  `x onerror=${CALL}`,
]

/** Each of them in every place of Markdown that could let it pass. */
const written = [
  ...markup.flatMap((html) => [html, `## ${html}`, `> - ${html}`, `| ${html} |\n|---|\n| ${html} |`, `[${html}](/contact)`]),
  ...addresses.flatMap((address) => [
    `[a](${address})`,
    `[a](<${address}>)`,
    `![a](${address})`,
    `<${address}>`,
    `[b]: ${address}\n\n[b]`,
    `![a](/x "${address}")`,
  ]),
  ...markup.map((html) => `\`\`\`${html.replaceAll(/\s/g, '')}\n${html}\n\`\`\``),
  ...markup.slice(0, 10).map((html) => `Note[^${html.replaceAll(/[\s\]]/g, '')}]\n\n[^${html.replaceAll(/[\s\]]/g, '')}]: ${html}`),
  ...markup.slice(0, 10).map((html) => `    ${html}\n\n\`${html}\`\n\n- [ ] ${html}`),
]

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })
test.setTimeout(180_000)

test('nothing that a post can hold runs as script, for strangers and those signed in, with the content policy and without it', async ({
  page,
  browser,
  site,
}) => {
  expect(written.length).toBeGreaterThan(200)
  await signInAsOwner(page)
  const paths = await publishAll(page)
  await watch(page)
  for (const path of ['/blog', ...paths]) await provoke(page, path)

  for (const bypassCSP of [false, true]) {
    const stranger = await strangerIn(browser, site.url, bypassCSP)
    for (const path of ['/blog', '/blog?q=script', ...paths]) await provoke(stranger, path)
    await stranger.context().close()
  }
})

/** Posts with all of these in their texts, titles, tags, pictures and metadata. */
async function publishAll(page: Page): Promise<string[]> {
  const posts = [0, 1, 2, 3].map((part) => ({
    title: markup
      .filter((_, index) => index % 4 === part)
      .join('')
      .slice(0, 199),
    slug: `evil-${part}`,
    excerpt: markup
      .filter((_, index) => index % 4 === part)
      .join(' ')
      .slice(0, 480),
    content: written.filter((_, index) => index % 4 === part).join('\n\n'),
    tags: markup.filter((_, index) => index % 4 === part).map((html) => html.slice(0, 39).replaceAll(',', ' ')),
    metaTitle: `</title><script>${CALL}</script>`,
    metaDescription: `"><img src=x onerror=${CALL}>`,
    featuredImage: `https://pictures.example/"onerror="${CALL}"><script>${CALL}</script>.png`,
    published: true,
  }))
  const headers = { 'sec-fetch-site': 'same-origin' }
  for (const data of posts) expect((await page.request.post('/api/blog', { data, headers })).status()).toBe(201)
  return posts.map(({ slug }) => `/blog/${slug}`)
}

async function strangerIn(browser: Browser, baseURL: string, bypassCSP: boolean): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, bypassCSP })).newPage()
  await watch(page)
  return page
}

/** Records each call; the browser's own dialog would only block the test. */
async function watch(page: Page) {
  await page.addInitScript(() => {
    Object.assign(window, { executions: 0, alert: () => Object.assign(window, { executions: 1 }) })
  })
  await page.route(/pictures\.example/, (route) => route.abort())
}

/** Opens a page and triggers every event that could run injected script. */
async function provoke(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const found = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('main *')]
    for (const part of parts) {
      for (const event of ['mouseover', 'focus', 'toggle', 'animationstart', 'load', 'error']) part.dispatchEvent(new Event(event))
    }
    const attributes = parts.flatMap((part) => [...part.attributes].map(({ name }) => name).filter((name) => name.startsWith('on')))
    const links = [...document.querySelectorAll('main a[href], main img[src], main form[action]')]
    const protocols = links.map((link) => new URL(link.getAttribute('href') ?? link.getAttribute('src') ?? '/', location.href).protocol)
    return { attributes, protocols: [...new Set(protocols)].filter((name) => !/^(https?|mailto):$/.test(name)) }
  })
  expect.soft(found, path).toEqual({ attributes: [], protocols: [] })
  await page.waitForTimeout(200)
  expect.soft(await page.evaluate(() => 'executions' in window && window.executions), path).toBe(0)
}
