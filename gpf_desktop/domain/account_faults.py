"""Faults of the account or the model, found by the words that providers use for them, under whatever status.

A fault that only one question meets is data. One that every question would meet stops the model; its open questions
stay open.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.error_codes import CodeSays, fault_of, meaning_of
from gpf_desktop.domain.error_languages import compiled, folded, says_busy, says_for_now
from gpf_desktop.domain.fault_languages import fault_hinted, fault_said
from gpf_desktop.domain.patterns import regex
from gpf_desktop.domain.question_faults import is_of_the_question, is_over_length, is_short_limit


class AccountFault(StrEnum):
    """The fault that must be put right before the model is asked again."""

    KEY = "key"
    CREDIT = "credit"
    SHUT = "shut"
    """The provider has suspended or closed the account."""
    PLACE = "place"
    """The provider does not serve where the call came from."""
    MODEL = "model"
    ADDRESS = "address"
    """The address, or what is sent along with a call, leads to no model."""
    DAY = "day"
    """What may be asked in a day has been asked."""
    SPAN = "span"
    """What a plan allows in some hours, a week or a month has been asked."""


_SHUTS: Final = (
    r"(?:block(?:s|ed)?|den(?:y|ies|ied)|disabled?|restrict(?:s|ed)?|prohibit(?:s|ed)?|forbid(?:s|den)?|"
    r"not (?:allowed|permitted|enabled))"
)
_WHO_SHUTS: Final = (
    r"(?:administrators?|admins?|firewall|web[ -]?filter|proxy|vpc service controls|it department|"
    r"your (?:organi[sz]ation|company|employer)|organi[sz]ation(?:['’]s|al)? polic(?:y|ies)|(?:network|company|"
    r"corporate|ip) polic(?:y|ies))"
)
"""Who shuts a door that is no filter of content: an administrator, a firewall, a network."""
_HELD: Final = (
    r"(?:accounts?|billing|consumer|customer|licen[cs]e|login|org|organi[sz]ation|plan|project|space|subscription|"
    r"team|tenant|user|workspace)(?! (?:key|model)s?\b)"
)
"""What somebody has at a provider, by which questions are let in."""
_LOCKED: Final = (
    r"archived|banned|cancell?ed|closed|deactivated|deleted|disabled|expired|frozen|locked|paused|revoked|suspended|"
    r"terminated"
)
_MONEY: Final = r"(?:balance|credits?|funds|quota|resource package)"
_KEY: Final = r"(?:(?:api|access|secret|subscription)[ _-]*)+(?:secret )?(?:key|token)"
_WORDS: Final = {
    AccountFault.CREDIT: r"credit balance|(?:out of|no|any)(?: \w+)? credits?\b|credit limit|"
    r"\b(?:out of|no more) (?:\w+ ){0,2}(?:allowance|usage)\b|\bfree (?:tier|plan|quota)s? (?:\w+ )?only\b|"
    rf"insufficient (?:\w+ ){{0,3}}{_MONEY}|{_MONEY} (?:is |are |has |have )?(?:been )?"
    r"(?:too low|not enough|insufficient|depleted|exhausted|used up|expired|zero|nil|empty|negative|0(?![.\d]))\b|"
    r"\bout of tokens\b[^.!?]{0,30}\b(?:billing|cycle|month|period|plan)\b|"
    r"\bspent (?:all )?(?:of )?(?:the |your )(?:\w+ ){0,2}(?:allowance|balance|budget|credits?|quota)\b|"
    r"\b(?:add|update|verify) (?:an? |your )?(?:valid )?(?:billing|payment)\b|"
    r"\bpurchase (?:an? |more )?(?:\w+ )?(?:credits?|plan|subscription)\b|"
    r"\b(?:allocation|allotment|allowance|budget|credits?|quota)\b[^.!?]{0,20}\br[au]ns? out\b|"
    rf"not enough {_MONEY}|requires? (?:more|paid) {_MONEY}|payment required|budget (?:has been |was |is )?exceeded|"
    r"\bover (?:the |your )?budget\b|\bexceeded ?budget\b|"
    r"arrear|overdue|good standing|spend(?:ing)? (?:limit|cap)|payment method|paid (?:plan|tier|subscription)|"
    r"subscription (?:is )?required|upgrade your (?:plan|subscription)|key limit exceeded|can only afford|"
    r"requires? an? (?:\w+ )?subscription|\b(?:credit|payment) card\b[^.!?]{0,20}\b(?:on file|required)|"
    r"subscription (?:is |has |was )?(?:been )?(?:ended|expired|frozen|over)\b|"
    r"subscription quota exhausted|trial (?:period )?(?:has |is )?(?:ended|expired|over)\b|used all (?:available|"
    r"your) credits|exceeded your .{0,30}credits|api usage limits?\b|free (?:tier|quota|trial)\b.{0,40}exhausted|"
    r"trial key\b.{0,20}limited|enable billing|billing .{0,30}(?:not|disabled|inactive|required|to be enabled)|"
    r"account .{0,40}(?:not active|inactive)|exceeded (?:your )?current quota|inactive subscription|"
    r"exhausted (?!\(e\.g\.).{0,30}\b(?:balance|credits?|quota)\b|\btop[ -]?up\b|\bwallet\b|(?:budget|credit|"
    r"token quota|"
    r"balance)\b[^.!?]{0,40}\b(?:reached|exhausted|exceeded|gone|used up|spent)\b|资源包.{0,10}(?:用尽|耗尽)|余额不足|"
    r"(?:额度|配额)(?:不足|失败)|剩余额度|无可用资源包|欠费|请充值",
    AccountFault.SHUT: rf"\b{_HELD}\b.{{0,40}}?\b(?:(?:is|was|been) (?:\w+ly )?(?:{_LOCKED})|has (?:expired|lapsed))\b|"
    r"\b(?:account|consumer|organi[sz]ation|project|team|tenant|user|workspace)\b.{0,40}?\b(?:is|was|been) "
    r"(?:\w+ly )?(?:blocked|flagged|restricted)\b|"
    rf"\b(?:{_HELD}|access|api|service) (?:{_LOCKED})\b|\b(?:{_LOCKED}) {_HELD}\b|"
    r"\b(?:access|service) (?:is |was |has been )?(?:disabled|revoked|suspended|terminated)\b|"
    r"\b(?:account|client|cloud|customer|folder|organi[sz]ation|project|team|tenant|user|workspace)"
    r"(?: ['\"][\w-]+['\"])? (?:(?:is )?(?:inactive|not active)|blocked|restricted)\b|"
    rf"\b{_HELD}\b.{{0,20}}\b(?:on hold|under review)\b|"
    r"\blicen[cs]e (?:check|file|key|server)\b.{0,30}\b(?:expired|failed|invalid|missing|not found|rejected)\b|"
    # Within one sentence: behind its end stands whom to turn to.
    rf"\b{_SHUTS}\b[^.!?]{{0,60}}\b{_WHO_SHUTS}\b|\b{_WHO_SHUTS}\b[^.!?]{{0,60}}\b{_SHUTS}\b|"
    rf"\b{_SHUTS} (?:for|in|on) (?:this|your) (?:account|(?:api )?key|organi[sz]ation|plan|project|subscription|"
    rf"tenant|token|workspace)\b|"
    rf"\bip\b(?: address(?:es)?)?[^.!?]{{0,40}}\b{_SHUTS}\b|\b{_SHUTS} ip\b|you have been blocked|"
    r"unavailable for (?:this |your )?account|(?:endpoint|public access) is (?:\w+ )?disabled|virtual network|"
    r"\b(?:account|id(?:entity)?|organi[sz]ation)\b.{0,20}\bmust be verified\b|"
    r"\bverify your (?:account|id(?:entity)?)\b|"
    r"\byour (?:access|resource)\b.{0,20}\b(?:is|was|been) (?:\w+ly )?(?:blocked|restricted)\b|"
    r"firewall rules|账[户号].{0,20}违规|(?:账[户号]|用户|(?a:\bak\b)|密钥|令牌|团队|"
    r"工作区|工作空间|组织|项目|资源).{0,20}(?:封禁|停用|"
    r"冻结|暂停|锁定|非活动|被禁)",
    AccountFault.PLACE: r"\b(?:not|n['’]t) (?:operate|serve|support)[^.!?]{0,30}\b(?:country|region|territory)|"
    r"(?:location|country|region|territory)\b.{0,40}\bnot (?:supported|available|allowed|served)|(?:not|"
    r"un)[ -]?(?:supported|available|allowed|accepted|served) (?:in|from|for) (?:your|this) (?:location|country|"
    r"region|territory)|unsupported (?:location|country|region|territory)|from your (?:location|country|region|"
    r"territory) are not|geographic(?:al)? restriction|not (?:available|offered|served|"
    r"supported) in (?:the )?(?:china|eu|europe\w*|russia|uk|us)\b|ip address(?:es)? .{0,20}not authori[sz]ed",
    AccountFault.MODEL: r"decommissioned|(?:does not|cannot) work with the (?:\w+ )?model|choose (?:a |"
    r"another )?(?:different )?model\b|too large to (?:be )?load|not allowed to access (?:the |this )?model|"
    r"\bmodel\b.{0,60}\bnot (?:activated|deployed|hosted|installed|loaded|offered|provided|served)|"
    r"\bmodel\b.{0,20}\b(?:must|required to|should) be (?:one of|in)\b|not found the model|\bmodel (?:deprecated|"
    r"discontinued|removed|retired)\b|\bno (?:access|permissions?|rights?) (?:for|to) (?:use )?(?:the |this )?model|"
    r"not enabled for (?:the |this )?model|\bmodel access (?:is |was )?denied|\bsunset\b|end[- ]of[- ]life|"
    r"\bmodel not exists?\b|could not find (?:the )?model|access to (?:this|that) model|access to model\b|"
    r"model\b.{0,60}\b(?:not installed|no longer accessible)|model (?:identifier|id|name)\b.{0,20}\b(?:is|"
    r"was) (?:invalid|not valid|unknown)|not a valid model|"
    r"(?:incorrect|invalid|wrong) model(?:_\w+)?\b(?! (?:output|response|reply))|"
    r"\b(?:invalid|unknown|unrecogni[sz]ed|unsupported) (?:\w+ )?provider\b|"
    r"\bmodel['’]s (?:chat|jinja|prompt) template\b|"
    r"no such (?:model|deployment|engine)|only serves (?:the )?model|\bnot (?:allow|permit) (?:the )?use of (?:the |"
    r"this )?model|(?:unknown|unrecogni[sz]ed) (?:deployment|engine|model)|no models? (?:(?:is|are|has been|"
    r"have been) )?loaded|load a model|model .{0,60}not loaded|model is unloaded|(?:cannot|could not|"
    r"error|fail(?:ed|ure)|unable)(?: to)? load(?:ing)? .{0,10}model|"
    r"model loading (?:was |has )?\w+|\bmemory layout\b|\b(?:no|a|default) chat[ _]template\b|"
    r"\bchat[ _]template\b[^!?]{0,80}\b(?:missing|not (?:defined|set)|undefined)\b|"
    r"\b(?:missing|provide|specify)\b.{0,20}\bmodel (?:field|id|name|param\w*)|"
    r"\bonly \S+ (?:is )?allowed\b.{0,20}\bmodel\b|\bunavailable for free\b|"
    r"(?:models?|deployment|endpoint|engine)\b.{0,80}\b(?:does not exist|not found|"
    r"could not be found|no longer (?:available|supported|served)|(?:has been|was|is) (?:deprecated|retired|removed|"
    r"discontinued|shut down))|model\b.{0,60}\b(?:requires? (?:terms|more system memory|a \w+ subscription)|"
    r"blocked at the \w+ level|is not (?:supported|available|enabled)\b)|reached the end of its life|(?:access|"
    r"permission) to (?:use )?the (?:requested |specified )?model|activated the model|"
    r"unable to access .{0,30}\bmodel\b|on-demand throughput|no (?:\w+ )?(?:deployments|endpoints|"
    r"providers) (?:\w+ )?(?:available|found)|gated repo|\bmodel is gated\b|"
    r"\b(?:accept|agree to) the (?:\w+ )?(?:model['’]?s? )?(?:licen[cs]e|terms)\b|"
    r"\b(?:load|start)\w*\b.{0,100}\bout of memory\b|degraded function|\bfunction\b.{0,60}\bnot found for account|"
    r"(?:deployment|endpoint) (?:is |was |has been )?(?:paused|stopped|suspended)|\b(?:deployment|endpoint|"
    r"model)\b.{0,80}\bis not (?:\w+ )?(?:running|started)\b|"
    r"model (?:is )?disabled|model not supported\b|(?:service|model) has been paused|not servable in|"
    r"version does not exist|not agreed to .{0,30}terms|details have not been submitted|"
    r"marked by (?:the )?provider as legacy|"
    # What it can do is not what is asked of it: to answer in one piece, in a chat, at this address.
    r"only supports? (?:the )?stream|must be set to false for non-streaming|does not support (?:the |this )?(?:chat|"
    r"endpoint|method|route)\b|not a chat model|"
    r"only supported in v\d/|\Amodels?[:/] ?\S+(?: is not found.*)?\Z|模型(?:不存在|已下线)|无可用渠道|无权(?:访问|"
    r"使用|调用)(?:.{0,12}模型| ?[a-z][\w./-]*\d)|模型.{0,12}无权",
    AccountFault.KEY: rf"(?:invalid|incorrect|expired|unknown|wrong|revoked|missing|no) (?:x[ _-])?{_KEY}|"
    rf"expired (?:key|token)|{_KEY}\b.{{0,50}}\b(?:not valid|invalid|incorrect|expired|missing|revoked|deleted|"
    rf"required|not (?:configured|found|provided|set)|blocked|leaked|"
    r"no longer valid|suspended|does not (?:exist|have permission))|"
    rf"(?:carry|provide|send) (?:the|your|an|a valid) {_KEY}|token\b[^.!?]{{0,40}}\b(?:is|was|been|has) (?:\w+ )?"
    rf"(?:expired|invalid|revoked)|"
    rf"\b(?:cannot|could not|fail(?:ed|ure)|unable)(?: to)? (?:authenticate|validate|verify) "
    rf"(?:the |your )?(?:credentials|{_KEY}|token)|\bre-?authenticate\b|\b(?:log|sign) in again\b|"
    r"\bno (?:\w+ )?credentials\b|must be a member of an organi[sz]ation|no_?auth\w*error|"
    r"missing (?:\w+ ){0,2}(?:credentials?|token)\b|"
    r"\bkey (?:has been |is |was )?(?:deactivated|deleted|disabled|revoked|suspended)|"
    r"not authori[sz]ed to (?:invoke|perform)|"
    r"signature\b.{0,40}\bnot match|"
    r"\bnot match (?:with )?(?:the )?service account\b|\A(?:\w+(?:exception|error): )?(?:access|action|"
    r"operation) (?:is )?not "
    r"(?:allowed|permitted)\W*\Z|"
    r"permission (?:to )?\S.{0,100}\bdenied|token\b.{0,40}\bis expired|没有.{0,10}授权|"
    r"insufficient permissions|(?:not|n['’]t) have (?:the )?(?:necessary |required |sufficient )?permissions?\b|"
    r"(?:无效的|无效)令牌|令牌(?:无效|已过期)|(?:密钥|key) ?(?:无效|不正确|错误)|"
    r"权限不足|没有权限|无权(?:进行|执行|访问|使用|调用)|consumed scope|"
    r"missing authorization header|\A\W*invalid token\W*\Z|身份验证",
    AccountFault.ADDRESS: r"\b(?:invalid|unexpected|unknown|unrecogni[sz]ed|unsupported) (?:\w+ )?(?:action|"
    r"api[ -]version|endpoint|operation|route)\b|"
    r"\bapi[ -]version\b.{0,40}\b(?:deprecated|invalid|missing|not (?:found|supported|valid)|required|unsupported)\b|"
    # Plain HTTP, where it is to be encrypted: nginx, Apache, Go.
    r"\bhttp (?:request|traffic)\b[^.!?]{0,30}\b(?:https|ssl|tls)\b|\bplain http to an? (?:ssl|tls)|"
    r"\b[a-z]+(?:-[a-z\d]+)+:? (?:http )?headers? (?:is |are |was )?(?:missing|not (?:present|set)|required)\b",
}
_ELSEWHERE: Final = {
    AccountFault.CREDIT: r"guthaben\b.{0,30}\b(?:aufgebraucht|erschöpft|leer|nicht aus|zu niedrig)|"
    r"(?:kein|nicht genug|zu wenig) guthaben|餘額不足|余额[已为]?.{0,4}(?:耗尽|用完|用尽|不够|零)|额度.{0,4}(?:耗尽|"
    r"用完|用尽)|(?:クレジット|残高|利用枠)[^。]{0,12}(?:不足|使い切|足りません|ありません)|(?:크레딧|잔액|"
    r"잔고)[^.]{0,8}(?:부족|소진|없)",
    AccountFault.SHUT: r"(?:konto|zugang)\b.{0,30}\b(?:deaktiviert|geschlossen|gesperrt)|实名认证|"
    r"アカウント[^。]{0,12}(?:停止|凍結|無効)|계정[^.]{0,10}(?:정지|차단|비활성)",
    AccountFault.PLACE: r"(?:land|region|standort)\b.{0,30}\bnicht (?:unterstützt|verfügbar)|"
    r"(?:地区|区域|国家).{0,10}(?:不支持|不可用|未开放)|不支持.{0,6}(?:地区|区域|国家)|(?:国|"
    r"地域)[^。]{0,10}(?:サポートされて|利用でき|ご利用いただけ)|(?:지역|국가)[^.]{0,12}(?:사용할 수 없|이용할 수 없|"
    r"지원되지)",
    AccountFault.MODEL: r"modell\b.{0,60}\b(?:existiert nicht|nicht (?:gefunden|geladen|verfügbar|vorhanden)|"
    r"abgeschaltet)|unbekanntes modell|模型.{0,40}(?:不存在|不可用|未加载|未开通|未找到|未部署|已停用|已下线)|"
    r"找不到.{0,6}模型|モデル[^。]{0,40}(?:存在しません|廃止|利用できません|見つかりません)|"
    r"모델[^.]{0,40}(?:사용할 수 없|존재하지 않|찾을 수 없|지원되지)",
    AccountFault.KEY: r"(?:abgelaufen|falsch|ungültig)\w* (?:api|zugangs)[- ]?(?:key|schlüssel|token)|"
    r"(?:api|zugangs)[- ]?schlüssel\b.{0,30}\b(?:abgelaufen|falsch|fehlt|ungültig)|(?:无效|"
    r"错误)的? ?(?:api)? ?(?:密钥|key)|密钥.{0,4}(?:不存在|失效|已过期)|(?:鉴权|认证)失败|無効な ?api ?キー|"
    r"api ?キー[^。]{0,12}(?:期限切れ|正しくありません|無効|必要|見つかりません)|(?:유효하지 않은|잘못된) ?api ?키|"
    r"api ?키[^.]{0,12}(?:만료|없|유효하지|잘못)",
}
"""The same in Chinese, German, Japanese and Korean."""
_PATTERNS: Final = {fault: compiled(filter(None, (words, _ELSEWHERE.get(fault)))) for fault, words in _WORDS.items()}
_QUOTED: Final = regex(r"""(?<!\w)["“„«`](?:[^\s"”«»`]+\s+){3}[^"”»`]*(?:["”»`]|$)""")
"""Four words and more between quotation marks: of a question, not of the server."""
_PRINTED: Final = regex(r"""\b\w*(?:error|exception)\(\s*["']""", re.IGNORECASE)
"""Before the words of an error as Python prints it, which are the server's."""
_ECHOED: Final = regex(
    r"""(['"](?:content|input|prompt)\\*['"]\s*:\s*\\*)(?P<mark>['"]).*?(?:(?P=mark)\s*(?=[,}\]])|\Z)""", re.DOTALL
)
"""A question's own text in a field of its name, as servers say back what they did not take."""
_ADDED: Final = regex(r"\bReceived Model Group=\S+\s+Available Model Group Fallbacks=\S+")
"""What LiteLLM adds to any error, of none of it."""
_PER_DAY: Final = regex(
    r"\bdaily (?:[\w-]+ ){0,2}?(?:allocation|allowance|budget|cap|limit|quota|usage)\b|today['’]s (?:\w+ )?(?:limit|"
    r"quota)|"
    r"\b(?:allowance|limit|quota) for (?:the day|today)\b|"
    r"\bused (?:up )?(?:all )?(?:of )?(?:the |your )(?:\w+ ){0,2}?(?:calls|messages|requests|tokens) (?:for )?today\b|"
    r"(?:calls?|messages?|models?|neurons|quer(?:y|ies)|requests?|tokens?|units?)\b['’ ]?[-_ ]?(?:/|per|a|"
    r"each)[-_ ]?day\b|\b(?:limit|quota)\b[^.!?]{0,40}(?:\bper[-_ ]day\b|/ ?day\b)|\bper 86[,.]?400 ?s|"
    r"(?-i:\b[RT]PD\b|ByDay\b)|(?:每日|每天|当日|今日|当天)[^。]{0,12}(?:上限|限额|限制|额度|配额|用完|超限)|"
    r"\btages(?:kontingent|limit|quote)|täglich\w* (?:kontingent|limit)|(?:1日|一日|本日)[^。]{0,12}(?:上限|制限|枠)|"
    r"(?:일일|하루|오늘)[^.]{0,12}(?:제한|초과|한도)",
    re.IGNORECASE,
)
_PER_DAY_CODE: Final = regex(r"per_?day|by_?day|daily|[rt]pd(?:limit)?_?exceeded|[rt]pd$", re.IGNORECASE)
_PER_SPAN: Final = regex(
    r"\b\d+[- ]?hours?(?:ly)? (?:\w+ )?(?:limit|quota)|usage limit (?:has been |was )?(?:exceeded|reached)|"
    r"\b(?:hit|reached|exceeded|used up) your (?:\w+ ){0,2}?(?:plan|usage) limit\b|"
    r"\b(?:session|hourly|weekly|monthly)(?:/\w+)? (?:(?!spend)\w+ ){0,3}?"
    r"(?:allocation|allotment|allowance|cap|limit|quota)\b|"
    r"\b(?:exceeded|limit|quota|reached|used)\b[^.!?]{0,50}\b(?:per|this|each) (?:month|week)\b|(?:每周|每月|"
    r"小时)[^。]{0,8}(?:上限|限额)|(?:本[月周]|当月|月度)[^。]{0,16}(?:上限|用完|用尽|限额)|\bmonats(?:kontingent|"
    r"limit)|(?:今月|月間)[^。]{0,12}(?:上限|制限|枠)|(?:매월|월간|이번 달)[^.]{0,12}(?:제한|초과|한도)",
    re.IGNORECASE,
)
_NAMES: Final = regex(r"\b(?:[A-Z][a-z]+){2,}(?:Error|Exception)\b")
"""Of errors, as programs print them."""
_BAD_REQUEST: Final = 400
_CRASHED: Final = 500
_SAYS_NO: Final = frozenset({400, 403, 404, 405, 422})
"""Statuses that say no to a call, and not that something broke down; so do errors under one of success."""
_WELL, _REDIRECTS = 200, 300
_THROTTLED: Final = regex(r"throttl|too many requests|\brate[ _]?limit", re.IGNORECASE)
_FIRST_CODE: Final = regex(r"\s*([a-z]+(?:_[a-z]+)+)\b", re.IGNORECASE)
_READ: Final = 4_000
_FIRST, _LAST = 400, 200
"""Characters of a long error in which it says what is wrong."""


_NONE_ALLOWED: Final = regex(r"\blimit:? ?(?:of |is |set to )?0(?![\d.])", re.IGNORECASE)
_OF_STATUS: Final = {401: AccountFault.KEY, 402: AccountFault.CREDIT}
"""What no question causes, whatever the words beside it are."""
_PASSED_ON: Final = {
    "401": AccountFault.KEY,
    "402": AccountFault.CREDIT,
    "403": AccountFault.KEY,
    "404": AccountFault.MODEL,
}
"""The same of a status that a gateway was told, and says beside its own."""
_OF_KINDS: Final = {"failed_precondition": AccountFault.SHUT}
"""Kinds of errors that say something where words say nothing: Google's of a project that is not ready for a model."""


@lru_cache(maxsize=64)
def without_echoes(message: str) -> str:
    """The beginning and the end of *message* without the question that it says back.

    What is wrong stands at the head of an error, and in the last line of a trace; what is between is read by nobody.
    """
    told = message if len(message) <= _READ else f"{message[: _READ - _LAST]} … {message[-_LAST:]}"
    told = _ADDED.sub(" ", _ECHOED.sub(r"\1…", told))
    return told if len(told) <= _FIRST + _LAST else f"{told[:_FIRST]} … {told[-_LAST:]}"


def without_quotes(message: str) -> str:
    """The same without all else that it quotes, which may be of the question too."""
    return _QUOTED.sub("…", _PRINTED.sub(" ", without_echoes(message)))


def is_none_allowed(message: str) -> bool:
    """Whether *message* names a limit of nought: waiting brings nothing."""
    return _NONE_ALLOWED.search(message[:_READ]) is not None


def account_fault(message: str, codes: Sequence[str] = (), status: int = 0) -> AccountFault | None:
    """The fault of the account or the model that *message*, an error of a server with its *codes* and *status*, tells
    of; None if it tells of none."""
    head = without_quotes(message)
    # Some write the code before the words.
    first = _FIRST_CODE.match(head)
    told = (*codes, *(first.groups() if first else ()))
    said = meaning_of(told)
    if said in {*AccountFault, CodeSays.PASSING, CodeSays.QUESTION}:
        return AccountFault(said) if said in set(AccountFault) else None
    counted = _counted(head, tuple(codes))
    # Of which span a limit is, words say.
    if counted is not None or said == CodeSays.LIMITED:
        return counted
    # Whoever broke down and asks to be asked again soon has refused nobody.
    if status >= _CRASHED and says_for_now(head):
        return None
    sure = _known(folded(head)) or (AccountFault.CREDIT if is_none_allowed(head) else None)
    if sure is not None:
        return sure
    if named := _named(head, told, status):
        return AccountFault(named)
    kinds = (_OF_KINDS.get(code.lower()) for code in codes)
    return _OF_STATUS.get(status) or next(filter(None, kinds), None) or _passed_on(head, codes, status)


@lru_cache(maxsize=64)
def _known(head: str) -> AccountFault | None:
    return next((fault for fault, pattern in _PATTERNS.items() if pattern.search(head)), None)


def _named(head: str, codes: Sequence[str], status: int) -> str:
    """The fault of the account or the model that stems of words name, or the parts of unlisted *codes*; empty if
    none."""
    if not is_short_limit(head) and (said := fault_said(head)):
        return said
    if not _THROTTLED.search(head) and (coded := fault_of((*codes, *_NAMES.findall(head)))):
        return coded
    if not (status in _SAYS_NO or _WELL <= status < _REDIRECTS) or is_of_the_question(head) or is_over_length(head):
        return ""
    return "" if says_for_now(head) or says_busy(head) else fault_hinted(head)


def _passed_on(head: str, codes: Sequence[str], status: int) -> AccountFault | None:
    """The fault by the status that a gateway was told, beside its own."""
    if status < _BAD_REQUEST or is_of_the_question(head):
        return None
    return next((_PASSED_ON[code] for code in codes if code in _PASSED_ON and code != str(status)), None)


@lru_cache(maxsize=64)
def _counted(head: str, codes: tuple[str, ...]) -> AccountFault | None:
    """The span of a limit that no short wait ends."""
    if any(map(_PER_DAY_CODE.search, codes)) or (_PER_DAY.search(head) and not is_short_limit(head)):
        return AccountFault.DAY
    return AccountFault.SPAN if _PER_SPAN.search(head) else None
