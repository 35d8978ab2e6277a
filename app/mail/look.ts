import type { CSSProperties } from 'react'

/*
 * The site's palette as inline styles, the only form that all mail programs support. Programs with dark mode read the style sheet at the
 * end; others show the light email.
 */

const sans = `Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif`
const display = `'Bricolage Grotesque', Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif`
const mono = `'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace`

export const paint = {
  paper: { backgroundColor: '#faf8f4' },
  card: { backgroundColor: '#ffffff', border: '1px solid #e3dfd6' },
  ink: { color: '#14201b' },
  muted: { color: '#495650' },
  grain: { backgroundColor: '#e0a32e', color: '#14201b' },
  bar: { backgroundColor: '#14201b' },
  link: { color: '#80500b' },
  line: { borderTop: '1px solid #e3dfd6', borderBottom: '1px solid #e3dfd6' },
  quote: { borderLeft: '3px solid #e0a32e' },
} satisfies Record<string, CSSProperties>

export const emailText = {
  name: { fontFamily: display, fontSize: '20px', lineHeight: '28px', fontWeight: 700, letterSpacing: '-0.02em' },
  heading: { fontFamily: display, fontSize: '26px', lineHeight: '32px', fontWeight: 700, letterSpacing: '-0.02em' },
  body: { fontFamily: sans, fontSize: '16px', lineHeight: '26px' },
  action: { fontFamily: sans, fontSize: '16px', fontWeight: 600 },
  label: { fontFamily: sans, fontSize: '14px', lineHeight: '22px', fontWeight: 400 },
  data: { fontFamily: mono, fontSize: '14px', lineHeight: '22px', overflowWrap: 'anywhere' },
  sentences: { fontFamily: sans, fontSize: '15px', lineHeight: '22px' },
  code: { fontFamily: mono, fontSize: '30px', lineHeight: '40px', fontWeight: 600, letterSpacing: '0.16em' },
  fine: { fontFamily: sans, fontSize: '13px', lineHeight: '20px' },
} satisfies Record<string, CSSProperties>

export const mark = {
  frame: { display: 'inline-block', width: '18px', marginRight: '10px', verticalAlign: 'middle' },
  bar: { display: 'block', height: '4px', marginBottom: '3px', borderRadius: '2px', fontSize: 0, lineHeight: 0 },
} satisfies Record<string, CSSProperties>

export const darkStyles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .inside { padding: 28px 20px 16px !important; }
}
@media (prefers-color-scheme: dark) {
  body, .paper, .paper > table, .paper > table > tbody > tr > td { background-color: #0e1512 !important; }
  .card { background-color: #151e1a !important; border-color: #26332d !important; }
  .ink { color: #edf2ee !important; }
  .muted { color: #a2b4aa !important; }
  .link { color: #f2b33d !important; }
  .line { border-color: #26332d !important; }
  .quote { border-color: #f2b33d !important; }
  .bar { background-color: #edf2ee !important; }
  .kept { background-color: #f2b33d !important; }
  .action { background-color: #f2b33d !important; color: #14201b !important; }
}
`
