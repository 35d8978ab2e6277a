/** A Markdown link target: bare, or in angle brackets when it contains spaces. */
const ADDRESS = String.raw`(?:<[^<>\n]{1,2000}>|[^\s()<>]{1,2000})`
const inText = new RegExp(String.raw`(\]\(\s{0,3})(${ADDRESS})`, 'g')
const inList = new RegExp(String.raw`^( {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,10})(${ADDRESS})`, 'gm')
const described = new RegExp(String.raw`!\[([^\]\n]{0,300})\]\(\s{0,3}(${ADDRESS})`, 'g')
const PICTURE = /\.(png|jpe?g|webp|avif|gif|svg|bmp|tiff?|heic)$/i

/** Relative image links in a text, each with its alt text. */
export function listPictureLinks(markdown: string): Map<string, string> {
  const alts = new Map([...markdown.matchAll(described)].map(([, alt = '', address = '']) => [bare(address), alt]))
  const links = [inText, inList].flatMap((pattern) => [...markdown.matchAll(pattern)].map(([, , address = '']) => bare(address)))
  return new Map(links.filter(isPictureHere).map((link) => [link, alts.get(link) ?? '']))
}

/** Replaces the given link targets. */
export function replaceLinks(markdown: string, others: ReadonlyMap<string, string>): string {
  const replace = (whole: string, before: string, address: string) => {
    const other = others.get(bare(address))
    return other === undefined ? whole : before + other
  }
  return markdown.replaceAll(inText, replace).replaceAll(inList, replace)
}

export function isPictureHere(link: string): boolean {
  return PICTURE.test(pathOf(link)) && !/^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(link)
}

/** Folders that static site generators serve as the root. */
const ROOTS = ['', 'static/', 'public/', 'source/', 'content/']

/** Candidate paths in the archive for an image link of a file; `root` is the single top-level folder, or empty. */
export function placesOf(link: string, file: string, root: string): string[] {
  const path = readable(pathOf(link))
  if (path.startsWith('/')) return ROOTS.map((folder) => root + folder + path.slice(1))
  const place = joined(file.split('/').slice(0, -1), path.split('/'))
  return place === undefined ? [] : [place]
}

/** Returns `undefined` for a path outside of the archive. */
function joined(folders: readonly string[], steps: readonly string[]): string | undefined {
  const place = [...folders]
  for (const step of steps) {
    if (step === '..' && place.pop() === undefined) return undefined
    if (step !== '..' && step !== '.' && step !== '') place.push(step)
  }
  return place.join('/')
}

function bare(address: string): string {
  return address.replace(/^<(.*)>$/, '$1')
}

function pathOf(link: string): string {
  return link.split(/[?#]/)[0] ?? ''
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
