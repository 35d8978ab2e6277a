/** The mail programs whose replies the corpus has. */
export const mailPrograms = ['outlook', 'gmail', 'apple', 'plain'] as const

type MailProgram = (typeof mailPrograms)[number]

type Reply = {
  program: MailProgram
  from: string
  to: string
  subject: string
  messageId: string
  /** The header lines by which the reply names what it answers. */
  thread?: string[]
  /** The sender's own words, in one line. */
  own: string
  /** The quoted words, in one line. */
  quoted: string
}

/** A reply as the mail program writes it: its headers, its encodings and its way of quoting. */
export function replyOf(reply: Reply): Buffer {
  const { program, from, to, subject, messageId, thread = [] } = reply
  const head = [
    `From: Ada Lovelace <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    'Date: Tue, 24 Nov 2026 10:00:00 +0100',
  ]
  return Buffer.from([...head, ...thread, 'MIME-Version: 1.0', ...bodies[program](reply)].join('\r\n'), 'latin1')
}

const part = (type: string, encoding: string, text: string) => [
  `Content-Type: ${type}`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
  text,
  '',
]
const base64 = (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
const alternative = (...parts: string[][]) => [
  'Content-Type: multipart/alternative; boundary="=_b"',
  '',
  ...parts.flatMap((each) => ['--=_b', ...each]),
  '--=_b--',
  '',
]

const bodies: Record<MailProgram, (reply: Reply) => string[]> = {
  outlook: ({ own, quoted, subject }) => [
    `Thread-Topic: ${subject.replace(/^RE: /, '')}`,
    'Thread-Index: AdpXh0Yc1u8a0qJ9Rk2Zb0yq9c5Qvg==',
    'X-Mailer: Microsoft Outlook 16.0',
    ...alternative(
      part(
        'text/plain; charset="Windows-1252"',
        'quoted-printable',
        `${own}\r\n\r\nViele Gr=FC=DFe\r\n\r\nFrom: Winnow <hello@localhost>\r\nSent: Monday, November 23, 2026 9:00 AM\r\nTo: Ada Lovelace\r\nSubject: ${subject.replace(/^RE: /, '')}\r\n\r\n${quoted}`,
      ),
      part(
        'text/html; charset="utf-8"',
        'base64',
        base64(
          `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{margin:0}</style></head><body><div class="WordSection1"><p class="MsoNormal">${own}<o:p></o:p></p></div><div id="appendonsend"></div><hr tabindex="-1" style="width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Winnow</div><div>${quoted}</div></body></html>`,
        ),
      ),
    ),
  ],
  gmail: ({ own, quoted }) =>
    alternative(
      part(
        'text/plain; charset="UTF-8"',
        'quoted-printable',
        `${own}\r\n\r\nOn Mon, Nov 23, 2026 at 9:00=E2=80=AFAM Winnow <hello+a-long-address@mail.localhost.example>\r\nwrote:\r\n\r\n> ${quoted}\r\n>`,
      ),
      part(
        'text/html; charset="UTF-8"',
        '7bit',
        `<div dir="ltr">${own}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Winnow wrote:<br></div><blockquote class="gmail_quote" style="margin:0">${quoted}</blockquote></div>`,
      ),
    ),
  apple: ({ own, quoted }) => [
    'X-Mailer: Apple Mail (2.3826.200.121)',
    ...alternative(
      part(
        'text/plain; charset=us-ascii',
        '7bit',
        `${own}\r\n\r\n> On 23 Nov 2026, at 09:00, Winnow <hello@localhost> wrote:\r\n> \r\n> ${quoted}\r\n`,
      ),
      part(
        'text/html; charset=us-ascii',
        '7bit',
        `<html><body dir="auto">${own}<br><div><br><blockquote type="cite"><div>On 23 Nov 2026, at 09:00, Winnow wrote:</div><div>${quoted}</div></blockquote></div></body></html>`,
      ),
    ),
  ],
  plain: ({ own, quoted }) =>
    part('text/plain; charset=utf-8; format=flowed', '8bit', `${own}\r\n\r\nOn Monday, Winnow <hello@localhost> wrote:\r\n> ${quoted}\r\n`),
}
