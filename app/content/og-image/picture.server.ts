import type { Node, Renderer } from '@takumi-rs/core'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { env } from '#app/platform/env.server.ts'
import { StaticContent } from '#app/platform/page-cache/static-content.server.ts'
import { inertPolicy, securityHeaders } from '#app/platform/http/security-headers.server.ts'
import { identity } from '#app/content/identity.ts'
import displayFont from '#app/ui/fonts/bricolage-grotesque.woff2?inline'
import textFont from '#app/ui/fonts/inter.woff2?inline'
import monoFont from '#app/ui/fonts/jetbrains-mono.woff2?inline'
import { findSiteFile } from '#app/content/settings/files.server.ts'
import { currentSettings } from '#app/content/settings/live.ts'
import { openPicture } from '#app/platform/storage/decoder.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lightColors } from '#app/ui/paper.ts'
import { designOf, type PictureBrand } from './design.ts'
import { PICTURE_SIZE, type PreviewImage, type PictureText } from './picture.ts'

/** An image is about 25 kB. */
const MOST_KEPT = 200

const headers = {
  ...securityHeaders,
  // Other sites are meant to show it.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': inertPolicy,
  'cache-control': 'public, max-age=31536000, immutable',
}

const drawn = new LRUCache<string, Promise<StaticContent>>({ max: MOST_KEPT })
let renderer: Promise<Renderer> | undefined

/** The URL of an image, which changes with its content, and its text alternative. */
export function pictureOf(text: PictureText): PreviewImage {
  const rows = text.rows.map((row) => row.join(': '))
  const alt = text.photo?.alt || `${identity.name}: ${text.title}. ${rows.join('; ')}`
  return { url: `${env.SITE_URL}/og/${previewImageFile(text)}`, alt, type: text.photo ? 'image/jpeg' : 'image/png' }
}

/** The last segment of its URL. */
export function previewImageFile(text: PictureText): string {
  const shown = text.photo?.file ?? JSON.stringify(designOf(text, currentBrand()))
  const hash = createHash('sha256').update(shown).digest('hex')
  return `${text.name}.${hash.slice(0, 16)}.${text.photo ? 'jpg' : 'png'}`
}

/** The image, drawn on the first request. The least recently used images are evicted. */
export function drawPicture(text: PictureText): Promise<StaticContent> {
  const file = previewImageFile(text)
  const picture = drawn.get(file) ?? draw(text)
  drawn.set(file, picture)
  picture.catch(() => drawn.delete(file))
  return picture
}

async function draw(text: PictureText): Promise<StaticContent> {
  if (text.photo) return new StaticContent({ ...headers, 'content-type': 'image/jpeg' }, { identity: await cutPhoto(text.photo.file) })
  const brand = currentBrand()
  const design = designOf(text, { ...brand, logo: brand.logo && (await logoSource(brand.logo)) })
  const identityBytes = await renderPicture(design, PICTURE_SIZE)
  return new StaticContent({ ...headers, 'content-type': 'image/png' }, { identity: identityBytes })
}

/** Not every network reads the formats in which images are stored. */
async function cutPhoto(file: string): Promise<Buffer> {
  const stored = (await openFile(file)) ?? stop('notFound', 'There is no such picture.')
  const decode = await openPicture(await buffer(stored.stream))
  return decode()
    .resize({ ...PICTURE_SIZE, fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer()
}

/** The brand as it is saved: the logo by its name, which is part of the address of a picture. */
function currentBrand(): PictureBrand {
  const { branding } = currentSettings()
  return { name: identity.name, accent: branding?.accentLight ?? lightColors.grain, logo: branding?.logo }
}

async function logoSource(file: string): Promise<string | undefined> {
  const bytes = await findSiteFile(file)
  if (!bytes) return undefined
  const decode = await openPicture(bytes)
  return `data:image/png;base64,${(await decode().png().toBuffer()).toString('base64')}`
}

/** A PNG of a design. */
export async function renderPicture(design: Node, size: { width: number; height: number }): Promise<Buffer> {
  renderer ??= prepare()
  return (await renderer).render(design, { ...size, format: 'png' })
}

async function prepare(): Promise<Renderer> {
  // Loaded for the first image: a process that draws none does not have it in memory.
  const { Renderer } = await import('@takumi-rs/core')
  const made = new Renderer()
  for (const [name, font] of [
    ['display', displayFont],
    ['text', textFont],
    ['mono', monoFont],
  ] as const) {
    await made.registerFont({ name, data: Buffer.from(font.slice(font.indexOf(',') + 1), 'base64') })
  }
  return made
}
