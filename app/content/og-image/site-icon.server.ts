import { LRUCache } from 'lru-cache'
import { findSiteFile } from '#app/content/settings/files.server.ts'
import { brandIconUrl, currentSettings, ICON_SIZES, siteFileUrl } from '#app/content/settings/live.ts'
import { withDrafts } from '#app/content/settings/settings.server.ts'
import { openPicture } from '#app/platform/storage/decoder.server.ts'
import { paper } from '#app/ui/paper.ts'
import { renderPicture } from './picture.server.ts'

const NAME = /^icon-([\da-f]{6})-(mark|[\da-f]{40})-(\d{2,3})\.png$/
const MOST_KEPT = 40
const drawn = new LRUCache<string, Promise<Buffer | undefined>>({ max: MOST_KEPT })

/**
 * The icon of the saved brand, or of its draft, by the name in its address; undefined for any other name, which would cost a drawing. Devices
 * crop large icons and show the middle four fifths.
 */
export async function findSiteIcon(name: string): Promise<Buffer | undefined> {
  return isOfBrand(name) || (await withDrafts(async () => isOfBrand(name))) ? keptIcon(name) : undefined
}

function isOfBrand(name: string): boolean {
  const { branding } = currentSettings()
  return branding !== undefined && ICON_SIZES.some((size) => brandIconUrl(branding, size) === siteFileUrl(name))
}

function keptIcon(name: string): Promise<Buffer | undefined> {
  const known = drawn.get(name) ?? draw(name)
  drawn.set(name, known)
  known.catch(() => drawn.delete(name))
  return known
}

async function draw(name: string): Promise<Buffer | undefined> {
  const [, color = '', logo, text] = NAME.exec(name) ?? []
  const size = ICON_SIZES.find((each) => String(each) === text)
  if (!size || !logo) return undefined
  if (logo === 'mark') return drawMark(`#${color}`, size)
  const bytes = await findSiteFile(`${logo}.webp`)
  if (!bytes) return undefined
  const decode = await openPicture(bytes)
  const inner = size === 32 ? size : Math.round(size * 0.7)
  const fitted = decode().resize(inner, inner, { fit: 'contain', background: 'white' })
  const edge = Math.floor((size - inner) / 2)
  const rest = size - inner - edge
  return fitted
    .extend({ top: edge, left: edge, bottom: rest, right: rest, background: 'white' })
    .flatten({ background: 'white' })
    .png()
    .toBuffer()
}

/** Our mark, as in icon.svg. */
function drawMark(accent: string, size: number): Promise<Buffer> {
  const grains = [
    [6.5, 10],
    [9.5, 16],
    [6.5, 22],
  ].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.6"/>`)
  const bar = (y: number, fill: string) => `<rect x="13" y="${y}" width="13" height="4" rx="1.4" fill="${fill}"/>`
  const shapes = `<g fill="#9db0a6">${grains.join('')}</g>${bar(7.5, '#edf2ee')}${bar(20.5, '#edf2ee')}${bar(14, accent)}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>`
  const src = `data:image/svg+xml;base64,${btoa(svg)}`
  const style = {
    width: '100%',
    height: '100%',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    backgroundColor: paper.dark,
  } as const
  const share = size === 32 ? '100%' : '80%'
  return renderPicture(
    { type: 'container', style, children: [{ type: 'image', src, style: { width: share, height: share } }] },
    { width: size, height: size },
  )
}
