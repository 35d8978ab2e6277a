/** The page's color, for code that cannot read tokens.css. A test compares the two. */
export const paper = { light: '#faf8f4', dark: '#0e1512' } as const

/** The colors of light pages by their names in tokens.css, for images. A test compares the two. */
export const lightColors = {
  paper: paper.light,
  surface: '#ffffff',
  sunken: '#f2eee6',
  ink: '#14201b',
  muted: '#495650',
  line: '#e3dfd6',
  edge: '#878173',
  grain: '#e0a32e',
} as const

/** The accent in light and dark, as a surface and as text. A test compares them with tokens.css. */
export const accent = { grain: { light: '#e0a32e', dark: '#f2b33d' }, 'grain-text': { light: '#80500b', dark: '#f2b33d' } } as const
