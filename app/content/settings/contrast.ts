/** WCAG's least contrast for text of normal size. */
export const LEAST_CONTRAST = 4.5

/** The contrast of two colors such as `#14201b`, by WCAG 2.2. */
export function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Ground = { name: string; color: string }

/** The accent as text is on the page and on cards; as a surface it has the label of a button. Colors of tokens.css. */
const grounds = {
  light: [
    { name: 'the page', color: '#faf8f4' },
    { name: 'panes of data', color: '#f2eee6' },
    { name: 'cards', color: '#ffffff' },
  ],
  dark: [
    { name: 'the page', color: '#0e1512' },
    { name: 'panes of data', color: '#0a100d' },
    { name: 'cards', color: '#151e1a' },
  ],
  label: [{ name: 'its dark label', color: '#14201b' }],
} satisfies Record<string, [Ground, ...Ground[]]>

/** The share of the accent in the ground of its notes. */
export const TINT = 0.08

/** The reason why a color cannot be used, or `undefined`. */
export function contrastProblem(color: string, use: keyof typeof grounds): string | undefined {
  const tint = use === 'label' ? [] : [{ name: 'its own tint', color: tintOf(color, grounds[use][0].color) }]
  const worst = [...grounds[use], ...tint]
    .map((ground) => ({ ...ground, contrast: contrastOf(color, ground.color) }))
    .toSorted((one, other) => one.contrast - other.contrast)[0]
  if (!worst || worst.contrast >= LEAST_CONTRAST) return undefined
  const direction = use === 'light' ? 'darker' : 'lighter'
  const found = (Math.floor(worst.contrast * 10) / 10).toFixed(1)
  return `The contrast with ${worst.name} is ${found}:1, and people need ${LEAST_CONTRAST}:1 to read it. Choose a ${direction} color.`
}

function tintOf(color: string, ground: string): string {
  const channels = [1, 3, 5].map((at) => {
    const [one, other] = [color, ground].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round((one ?? 0) * TINT + (other ?? 0) * (1 - TINT))
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}
