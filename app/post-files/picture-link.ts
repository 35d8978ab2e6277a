/** An address in Markdown: plain, or between angle brackets where it has spaces. */
const ADDRESS = String.raw`(?:<[^<>\n]{1,2000}>|[^\s()<>]{1,2000})`
const inText = new RegExp(String.raw`(\]\(\s{0,3})(${ADDRESS})`, 'g')
const inList = new RegExp(String.raw`^( {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,10})(${ADDRESS})`, 'gm')
const described = new RegExp(String.raw`!\[([^\]\n]{0,300})\]\(\s{0,3}(${ADDRESS})`, 'g')
const PICTURE = /\.(png|jpe?g|webp|avif|gif|svg|bmp|tiff?|heic)$/i

/** The pictures that a text shows or leads to and that are none of the web, each with the words for who cannot see it. */
export function listPictureLinks(markdown: string): Map<string, string> {
  const alts = new Map([...markdown.matchAll(described)].map(([, alt = '', address = '']) => [bare(address), alt]))
  const links = [inText, inList].flatMap((pattern) => [...markdown.matchAll(pattern)].map(([, , address = '']) => bare(address)))
  return new Map(links.filter(isPictureHere).map((link) => [link, alts.get(link) ?? '']))
}

/** The text with other addresses in the place of some. */
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

/** Folders of which other programs make the root of a site. */
const ROOTS = ['', 'static/', 'public/', 'source/', 'content/']

/** Where in an archive a picture can lie that a file of it shows; `root` is the folder that holds everything, or nothing. */
export function placesOf(link: string, file: string, root: string): string[] {
  const path = readable(pathOf(link))
  if (path.startsWith('/')) return ROOTS.map((folder) => root + folder + path.slice(1))
  const place = joined(file.split('/').slice(0, -1), path.split('/'))
  return place === undefined ? [] : [place]
}

/** Nothing where it leads out of the archive. */
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
