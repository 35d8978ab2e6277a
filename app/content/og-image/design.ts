import { lightColors as colors } from '#app/ui/paper.ts'
import type { Node } from '@takumi-rs/core'
import { lines, mark, scatteredRows } from './drawing.ts'
import { PICTURE_SIZE, type PictureText } from './picture.ts'

/** The name, accent and logo of the business; `logo` is a source of a picture, and our mark stands in for none. */
export type PictureBrand = { name: string; accent: string; logo: string | undefined }

const MOST_ROWS = 4
const PANE = 292

/** The design of the image: site name, title, and below them the messy input beside the clean rows. */
export function designOf({ kicker, title, rows, backdrop }: PictureText, { name, accent, logo }: PictureBrand): Node {
  const head = box({ alignItems: 'center', justifyContent: 'space-between' }, [
    box({ alignItems: 'center', gap: 18 }, [
      logo === undefined ? svg(mark(accent), 56, 48) : picture(logo),
      words(name, { fontFamily: 'display', fontSize: 42, letterSpacing: -1, color: colors.ink }),
    ]),
    words(kicker, { ...mono, fontSize: 24, color: colors.muted }),
  ])
  const heading = words(title, {
    fontFamily: 'display',
    fontSize: sizeFor(title),
    lineHeight: 1.06,
    letterSpacing: -sizeFor(title) / 45,
    color: colors.ink,
    maxWidth: 1040,
    textWrap: 'balance',
    lineClamp: title.length > 70 ? 3 : 2,
    textOverflow: 'ellipsis',
  })
  return box({ ...PICTURE_SIZE, flexDirection: 'column', backgroundColor: colors.paper }, [
    box({ flexDirection: 'column', justifyContent: 'space-between', height: PICTURE_SIZE.height - PANE, padding: '52px 72px 44px' }, [
      head,
      heading,
    ]),
    box({ height: PANE, borderTop: `2px solid ${colors.line}`, backgroundColor: colors.surface }, [
      backdropOf(backdrop, accent),
      box(
        { flexDirection: 'column', flexGrow: 1, justifyContent: 'center', paddingRight: 72 },
        rows.slice(0, MOST_ROWS).map((row, index) => rowIn(row, index > 0, accent)),
      ),
    ]),
  ])
}

/** Longer titles are smaller, so that they fit into the space above the pane. */
function sizeFor({ length }: string): number {
  if (length <= 26) return 92
  if (length <= 44) return 76
  return length <= 70 ? 62 : 52
}

const mono = { fontFamily: 'mono, text', fontWeight: 500 } as const

function backdropOf(backdrop: PictureText['backdrop'], accent: string): Node {
  const style = { width: 436, flexShrink: 0, backgroundColor: colors.sunken, marginRight: 40 }
  if (backdrop === 'scatter') return box(style, [svg(scatteredRows(accent), 436, PANE)])
  if (backdrop === 'text') return box(style, [svg(lines(accent), 436, PANE)])
  return box(
    { ...style, flexDirection: 'column', justifyContent: 'center', gap: 16, paddingLeft: 72, overflow: 'hidden' },
    backdrop.map((line) => words(line, { ...mono, fontSize: 21, color: colors.muted, whiteSpace: 'nowrap' })),
  )
}

function rowIn([name, value]: readonly [string, string], isBelow: boolean, accent: string): Node {
  const line = isBelow ? { borderTop: `2px solid ${colors.line}` } : {}
  return box({ alignItems: 'center', gap: 24, height: 62, ...line }, [
    box({ width: 26, height: 12, borderRadius: 4, backgroundColor: accent, flexShrink: 0 }, []),
    words(name, {
      ...mono,
      fontSize: 25,
      color: colors.muted,
      flexGrow: 1,
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
    }),
    words(value, { ...mono, fontSize: 25, color: colors.ink, whiteSpace: 'nowrap', flexShrink: 0 }),
  ])
}

type Style = NonNullable<Node['style']>

function box(style: Style, children: Node[]): Node {
  return { type: 'container', style: { display: 'flex', ...style }, children }
}

function words(text: string, style: Style): Node {
  return { type: 'text', text, style }
}

function svg(source: string, width: number, height: number): Node {
  return { type: 'image', src: `data:image/svg+xml;base64,${btoa(source)}`, width, height, style: { width, height, flexShrink: 0 } }
}

function picture(src: string): Node {
  return { type: 'image', src, style: { height: 48, maxWidth: 200, objectFit: 'contain', flexShrink: 0 } }
}
