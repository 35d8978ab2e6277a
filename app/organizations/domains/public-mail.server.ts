/** Providers where anyone gets an address, by the first part of their domains. */
const manyCountries = new Set(['gmx', 'hotmail', 'live', 'outlook', 'yahoo', 'ymail'])

const known = new Set(
  `126.com 163.com aim.com aol.com aol.de arcor.de att.net bellsouth.net bigpond.com bluewin.ch btinternet.com charter.net comcast.net cox.net
  duck.com e.mail.ru email.com fastmail.com fastmail.fm foxmail.com free.fr freenet.de gmail.com googlemail.com hey.com icloud.com inbox.ru
  interia.pl laposte.net libero.it list.ru mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com naver.com o2.pl online.de onet.pl
  op.pl orange.fr pm.me posteo.de posteo.net proton.me protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sbcglobal.net seznam.cz
  sfr.fr sina.com sky.com sohu.com t-online.de telenet.be tiscali.it tutanota.com tuta.io tuta.com uol.com.br verizon.net vodafone.de
  wanadoo.fr web.de windowslive.com wp.pl yandex.com yandex.ru ya.ru zoho.com ziggo.nl`.split(/\s+/),
)

/** Whether people who know nothing of each other have addresses there. */
export function isPublicMail(domain: string): boolean {
  const [first = '', ...rest] = domain.split('.')
  return known.has(domain) || (manyCountries.has(first) && rest.length <= 2 && rest.every((label) => label.length <= 3))
}
