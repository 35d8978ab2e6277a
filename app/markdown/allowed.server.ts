import type { Options } from 'rehype-sanitize'

/** Code is coloured by classes: the policy of our pages allows no style of an element's own. */
const TOKEN = /^code-[a-z]+$/
/** Each id has a prefix, so that no text of a heading is the id of something else in the page, or a name that scripts know. */
const ID = /^(sec|note)-/

const TAGS =
  'p br hr h2 h3 h4 h5 h6 blockquote ul ol li pre code span div strong em del sup a img picture source figure figcaption input section table thead tbody tr th td'.split(
    ' ',
  )

/**
 * All that may be in a rendered text. It is looked at last, when everything else has been done to it, so nothing gets around it: what is not named
 * here is not there.
 */
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
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
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
