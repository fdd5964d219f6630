"""Meanings of the codes and types of errors, as providers document them: read first, before a status and before words.

A code has its place here where it means one thing; one that a provider gives to several (rate_limit_exceeded: of a
minute, or of a day) is left to the words beside it. Numbers mean something at one provider only, whose name stands
before them; those of five figures stand alone, and those that gateways pass on.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final


class CodeSays(StrEnum):
    """The meaning of a code, beside faults of the account, which have the values of `account_faults.AccountFault`."""

    BLOCKED = "blocked"
    """The content was declined."""
    LIMITED = "limited"
    """Asked too often or too much at once; it may be asked later."""
    PASSING = "passing"
    """Something broke down; it may be asked again."""
    QUESTION = "question"
    """This one question cannot be asked so: it is too long, or of a form that is not taken."""


def _numbers(whose: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{whose} {each}" for each in numbers)


_MEANINGS: Final[dict[str, tuple[str, ...]]] = {
    CodeSays.BLOCKED: (
        # OpenAI and Azure; Google; DeepSeek; Qwen; Zhipu; MiniMax; xAI; OpenRouter; Mistral; Bedrock; StepFun.
        *("content_filter", "content_policy_violation", "content_violation", "invalid_prompt", "moderation_blocked"),
        *("prohibited_content", "responsibleaipolicyviolation", "safety", "blocklist", "moderation", "sensitive"),
        *("data_inspection_failed", "datainspectionfailed", "content_risk", "contentfilter", "policy_violation"),
        *("1301", "1026", "1027", "guardrail_intervened", "usage_policy", "image_content_policy_violation"),
        *("sensitivecontentdetected", "inputtextsensitivecontentdetected", "outputtextsensitivecontentdetected"),
        *("block_reason_unspecified", "spii", "model_armor", "ipinfringementsuspect", "faqruleblocked"),
        *("censorship_blocked", "guardrail_violation", "guardrailviolation", "content_policy", "content_filtered"),
        *("content_blocked", "hooks_failed", "safety_check_failed", "cyber_policy", "bio_policy", "modelarts.81011"),
        *("moderation_error", "filtered", "customroleblocked", "sensitive_words_detected", "prompt_blocked"),
        *("refusal", "refused"),
        # iFlytek's: of the question, the answer, and of both.
        *("10013", "10014", "10019", *_numbers("zhipu", 1300, 1301), *_numbers("naver", 40005, 40006)),
        *_numbers("minimax", 1026, 1027),
        *_numbers("cloudflare", 2016, 2017),
    ),
    CodeSays.LIMITED: (
        *("throttling.ratequota", "throttling.allocationquota", "throttling.burstrate", "limit_requests"),
        *("limit_burst_rate", "rate_limit_reached_error", "model_rate_limit", "rpm_rate_limit_exceeded"),
        *("tpm_rate_limit_exceeded", "throttling_user", "concurrency_limit_exceeded", "slow_down"),
        # Tencent's.
        *("failedoperation.engineserverlimitexceeded", "requestlimitexceeded"),
        *("11202", "11203", *_numbers("zhipu", 1302, 1303, 1305, 1312)),
        *_numbers("minimax", 1002, 1039, 1041, 2045),
        *_numbers("baidu", 4, 18, 336117, 336501, 336502),
        *_numbers("cloudflare", 3040),
        *_numbers("mistral", 1300),
    ),
    CodeSays.PASSING: (
        *("overloaded_error", "engine_overloaded_error", "engine_overloaded", "serveroverloaded", "timeout_error"),
        *("unavailable_error", "incomplete_generation", "capacity_exceeded", "nocapacity", "modelnotreadyexception"),
        *("modeltimeoutexception", "modelerrorexception", "modelstreamerrorexception", "internalserverexception"),
        *("serviceunavailableexception", "internalerror.timeout", "internalerror.algo", "requesttimeout", "cancelled"),
        *("deadline_exceeded", "service_tier_capacity_exceeded", "engine_error", "bad_response"),
        *("do_request_failed", "read_response_body_failed", "queue_exceeded", "50505", "50507"),
        *_numbers("zhipu", 1120, 1200, 1230, 1231, 1234),
        *_numbers("minimax", 1000, 1001, 1013, 1024, 1033),
        *_numbers("baidu", 1, 2, 336000, 336100, 336200),
        *_numbers("cloudflare", 3007, 3008),
        *_numbers("mistral", 3505),
    ),
    CodeSays.QUESTION: (
        *("context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length"),
        *("tokens_too_long", "characters_too_long", "badrequest.toolarge", "malformed_json", "tokens_limit_reached"),
        *("context_exceeded", *_numbers("zhipu", 1261), *_numbers("naver", 40003, 40004)),
        *_numbers("minimax", 1042, 2013),
        *_numbers("baidu", 100, 336001, 336002, 336006, 336007, 336103),
        *_numbers("cloudflare", 3006, 5021),
        *_numbers("mistral", 3051),
    ),
    "credit": (
        *("accountoverdueerror", "allocationquota.freetieronly", "arrearage", "billing_disabled", "budget_exceeded"),
        *("billing_hard_limit_reached", "billing_not_active", "credit_balance_exhausted", "insufficient_balance"),
        *("exceeded_current_quota_error", "insufficient_credits", "insufficient_quota", "insufficient_user_quota"),
        *("commoditynotpurchased", "billing_error", "credit_limit", "operationdenied.serviceoverdue"),
        *("failedoperation.freeresourcepackexhausted", "failedoperation.resourcepackexhausted"),
        *("failedoperation.servicestoparrears", "resourceinsufficient.chargeresourceexhausted"),
        "pre_consume_token_quota_failed",
        # Zhipu's: in arrears, a plan that ended, a plan without this model.
        *("1113", "30001", *_numbers("zhipu", 1113, 1309, 1311), *_numbers("naver", 40170)),
        *_numbers("minimax", 1008, 2061),
        *_numbers("baidu", 19),
    ),
    "shut": (
        *("access_terminated_error", "account_deactivated", "consumer_suspended", "not_authorized_invalid_project"),
        *("organization_restricted", "service_disabled", "setlimitexceeded"),
        # Zhipu's: asleep, unknown, locked, and against its rules of use.
        *_numbers("zhipu", 1110, 1111, 1112, 1121, 1313),
        *_numbers("baidu", 6),
        *_numbers("cloudflare", 3023),
    ),
    "place": ("ip_not_authorized", "unsupported_country_region_territory"),
    "model": (
        *("deploymentnotfound", "invalid_model", "invalidendpointormodel.notfound", "model_decommissioned"),
        *("model_load_failed", "model_not_available", "model_not_found", "model_not_supported", "model_terms_required"),
        *("model_permission_blocked_org", "model_permission_blocked_project", "modelnotopen", "no_model_loaded"),
        *("unknown_model", "invalidendpoint.closedendpoint", "unavailable_model", "unsupportedmodel"),
        *("operationdenied.servicenotopen", "invalidendpointormodel.modelidaccessdisabled", "model_shutdown"),
        "accessdenied.unpurchased",
        *("key_model_access_denied", "team_model_access_denied", "get_channel_failed", "20012", "30003"),
        *("no_access", "model_deprecated", "model_access_denied", *_numbers("zhipu", 1211, 1220, 1221, 1222)),
        *_numbers("naver", 40080, 40082),
        *_numbers("baidu", 3),
        *_numbers("cloudflare", 5007, 5016, 5018, 3041, 3042),
        *_numbers("mistral", 1500),
    ),
    "day": ("11201", *_numbers("zhipu", 1304), *_numbers("baidu", 17), *_numbers("cloudflare", 3036)),
    "span": (*_numbers("zhipu", 1308, 1310), *_numbers("minimax", 2056)),
    "key": (
        *("api_key_invalid", "authentication_error", "expired_key", "invalid_api_key", "invalid_authentication_error"),
        *("invalidapikey", "invalid_grant", "missing_scope", "permission_error", "access_token_scope_insufficient"),
        *("incorrect_api_key_error", "expiredtokenexception", "unrecognizedclientexception", "invalid_iam_token"),
        *("invalidsignatureexception", "missingauthenticationtokenexception", "11200"),
        *_numbers("zhipu", 1000, 1001, 1002, 1003, 1004),
        *_numbers("naver", 40100, 40101, 40102, 40103, 40104),
        # What Google lets a key do: from which pages, addresses and apps, and with which of its services.
        *("api_key_http_referrer_blocked", "api_key_ip_address_blocked", "api_key_service_blocked"),
        *_numbers("minimax", 1004, 2049),
        *_numbers("baidu", 13, 14, 110, 111, 336005),
        *_numbers("cloudflare", 10000),
    ),
}
_KINDS: Final = {
    "credit": r"insufficient_?(?:account_?)?(?:balance|credit|fund)|out_?of_?credit|payment_?required|"
    r"(?:free_?usage|credits?|balance|funds)_?(?:is_?|are_?)?(?:depleted|exhausted|used_?up)",
    "shut": r"(?:account|organi[sz]ation|project|user)_?(?:is_?)?(?:banned|blocked|deactivated|disabled|suspended)",
    "model": r"model_?(?:is_?)?(?:not_?(?!ready)|un(?:available|known|supported)|invalid|disabled|"
    r"deprecated|gated|retired)|unsupported_?(?:api|endpoint|operation)",
    "key": r"auth(?:entication|orization)?_?fail(?:ed|ure)|(?:bad|expired|invalid|missing|revoked|"
    "unknown)_?(?:api_?)?(?:key|credential)|(?:api_?)?key_?(?:is_?)?"
    r"(?:expired|invalid|missing|revoked)|(?:access|permission)_?denied|(?:iam|consumer)_(?:permission|invalid)|"
    r"un_?authenticated|un_?authori[sz]ed",
}
_BETWEEN: Final = re.compile(r"[-:. ]+")
_PATTERNS: Final = {meaning: re.compile(pattern) for meaning, pattern in _KINDS.items()}
_BY_CODE: Final = {code: meaning for meaning, codes in _MEANINGS.items() for code in codes}


def meaning_of(codes: Iterable[str]) -> str:
    """The meaning of the first of *codes* that is known, a value of `CodeSays` or `AccountFault`; empty if none is.

    Volcengine writes what it detected behind the code, and a point between.
    """
    lower = [code.lower() for code in codes]
    return next((_BY_CODE[part] for code in lower for part in (code, code.partition(".")[0]) if part in _BY_CODE), "")


def fault_of(codes: Iterable[str]) -> str:
    """The account fault that the parts of *codes* point to, for codes in no list: a value of `AccountFault`; empty if
    none.

    Words that stand beside them may say it better.
    """
    lower = [_BETWEEN.sub("_", code.lower()) for code in codes]
    return next((fault for fault, pattern in _PATTERNS.items() if any(map(pattern.search, lower))), "")


def says(codes: Sequence[str], meaning: str) -> bool:
    """Whether any of *codes* says *meaning*."""
    return any(meaning_of((code,)) == meaning for code in codes)
