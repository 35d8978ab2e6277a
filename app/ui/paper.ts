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
