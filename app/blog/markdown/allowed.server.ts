import type { Options } from 'rehype-sanitize'

/** Code is colored by classes, because the content policy allows no inline styles. */
const TOKEN = /^code-[a-z]+$/
/** Prefixed, so that no heading collides with another id of the page or a global name of scripts. */
const ID = /^(sec|note)-/

const TAGS =
  'p br hr h2 h3 h4 h5 h6 blockquote ul ol li pre code span div strong em del sup a img picture source figure figcaption input section table thead tbody tr th td'.split(
    ' ',
  )

/** The allowlist for rendered HTML. Sanitizing is the last step, so no other step can bypass it. */
export const allowed: Options = {
  strip: ['script', 'style'],
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
  tagNames: TAGS,
  ancestors: {
    li: ['ul', 'ol'],
    thead: ['table'],
    tbody: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
    source: ['picture'],
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  required: { input: { type: 'checkbox', disabled: true } },
  attributes: {
    a: [
      'href',
      'title',
      ['id', ID],
      ['rel', 'external', 'noopener'],
      ['className', 'anchor', 'data-footnote-backref'],
      'dataFootnoteRef',
      'dataFootnoteBackref',
      'ariaLabel',
      ['ariaDescribedBy', 'note-label'],
    ],
    img: [
      'src',
      'alt',
      'title',
      'width',
      'height',
      ['loading', 'lazy'],
      ['decoding', 'async'],
      ['referrerPolicy', 'no-referrer'],
      ['className', 'unmeasured'],
    ],
    source: ['srcSet', 'sizes', ['type', /^image\/(avif|webp)$/], 'width', 'height'],
    code: [['className', /^language-[\w-]+$/]],
    pre: [['className', 'code'], 'dataLanguage', ['tabIndex', 0]],
    span: [['className', TOKEN]],
    div: [['className', 'table-scroll'], ['role', 'group'], ['tabIndex', 0], 'ariaLabel'],
    th: [['align', 'left', 'right', 'center']],
    td: [['align', 'left', 'right', 'center']],
    ol: ['start', ['className', 'contains-task-list']],
    ul: [['className', 'contains-task-list']],
    li: [
      ['className', 'task-list-item'],
      ['id', ID],
    ],
    input: [['type', 'checkbox'], ['disabled', true], 'checked', 'ariaLabel'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    h2: [['id', ID]],
    h3: [['id', ID]],
    h4: [['id', ID]],
    h5: [['id', ID]],
    h6: [['id', ID]],
  },
}
