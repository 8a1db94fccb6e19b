SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public."Event" (
    id text NOT NULL,
    "userId" text NOT NULL,
    type text NOT NULL,
    method text,
    browser text,
    count integer DEFAULT 1 NOT NULL,
    at bigint NOT NULL,
    kind text DEFAULT 'changes'::text NOT NULL,
    "newBrowser" boolean DEFAULT false NOT NULL
);

CREATE TABLE public."FailureStreak" (
    key text NOT NULL,
    count integer NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."Passkey" (
    id text NOT NULL,
    "userId" text NOT NULL,
    name text NOT NULL,
    "publicKey" bytea NOT NULL,
    counter bigint NOT NULL,
    transports text NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    aaguid text NOT NULL,
    "userVerified" boolean NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "lastUsedAt" timestamp(3) without time zone,
    type text DEFAULT 'public-key'::text NOT NULL,
    "createdConditionally" boolean DEFAULT false NOT NULL,
    "userHandle" text
);

CREATE TABLE public."RateLimit" (
    key text NOT NULL,
    "window" bigint NOT NULL,
    count integer NOT NULL,
    previous integer NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."RecoveryCode" (
    hash text NOT NULL,
    "userId" text NOT NULL
);

CREATE TABLE public."Session" (
    id text NOT NULL,
    "userId" text NOT NULL,
    epoch integer NOT NULL,
    method text NOT NULL,
    "passkeyId" text,
    browser text,
    "openedAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."SpentToken" (
    id text NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."User" (
    id text NOT NULL,
    username text NOT NULL,
    "usernameKey" text NOT NULL,
    "passwordHash" text,
    "sessionEpoch" integer DEFAULT 0 NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "userHandle" text,
    disabled boolean DEFAULT false NOT NULL
);

CREATE TABLE public._prisma_migrations (
    id character varying(36) NOT NULL,
    checksum character varying(64) NOT NULL,
    finished_at timestamp with time zone,
    migration_name character varying(255) NOT NULL,
    logs text,
    rolled_back_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_steps_count integer DEFAULT 0 NOT NULL
);

INSERT INTO public."Event" VALUES ('U1JLMVreNrcNfHepSqdhQQ', '0ZjhBYeVnH_2lqnsq7tgdQ', 'account_created', 'pwd', 'Chrome on Windows', 1, 1795399023706, 'sign_ins', false);
INSERT INTO public."Event" VALUES ('zXM8K567rVb9LL_ZyOSiDHLkgRmc3MwGov57w0a9Grg', '0ZjhBYeVnH_2lqnsq7tgdQ', 'signed_in', 'pwd', 'Chrome on Windows', 1, 1795399023846, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('Li5pzQUbmheVyZ2SFSJDHQ', '0ZjhBYeVnH_2lqnsq7tgdQ', 'passkey_added', NULL, 'Chrome on Windows', 1, 1795399023932, 'changes', false);
INSERT INTO public."Event" VALUES ('rjnYKuuV10Ph6yd5g9r6Jg', '0ZjhBYeVnH_2lqnsq7tgdQ', 'recovery_codes_made', NULL, 'Chrome on Windows', 1, 1795399023979, 'changes', false);
INSERT INTO public."Event" VALUES ('aLBurcrcB3OBLH_lW-WNBVPZ4sM6e1VyFVMC9F4dz8U', '0ZjhBYeVnH_2lqnsq7tgdQ', 'signed_in', 'passkey', 'Chrome on Windows', 1, 1795399023998, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('s31IRszUUliD7rjQZtjehk9flCawZvWxTSdJKHpKcik', '0ZjhBYeVnH_2lqnsq7tgdQ', 'signed_in', 'recovery', 'Chrome on Windows', 1, 1795399024019, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('TVeD0ubrA1aa78fw9aGCDuHGxSzkQGyksp5lSJFjZ2I', '0ZjhBYeVnH_2lqnsq7tgdQ', 'signin_failed', 'pwd', 'Chrome on Windows', 1, 1795399024136, 'sign_ins', false);

INSERT INTO public."FailureStreak" VALUES ('wieni4LO_D99GHx3PFDGl2', 1, 1803175024136);

INSERT INTO public."Passkey" VALUES ('mST15xa2CGh0ZWrIk-IhcYpTmAsgqXWKhlGDQ7fzB9U', '0ZjhBYeVnH_2lqnsq7tgdQ', 'Chrome on Windows', '\xa50102032620012158207aafe85e6dee43682c51f5bf25afa42a0158be6964c9288ff05bd27ad478c7b2225820ea58c7b4e138ef35aa7a2a3f357e05d9b400f6b1735534d0f635ed3b359829d1', 0, 'internal,hybrid', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', true, '2026-11-23 01:57:03.901', '2026-11-23 01:57:03.992', 'public-key', false, '0ZjhBYeVnH_2lqnsq7tgdQ');

INSERT INTO public."RateLimit" VALUES ('account-writes:CwlR1tvrrRSKbz0rFutAt6', 1994887, 2, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('passkey:1u_elM9TSqP2mxBrkFo6AA', 1994887, 0, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('recovery:1u_elM9TSqP2mxBrkFo6AA', 1994887, 0, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('address:1u_elM9TSqP2mxBrkFo6AA', 1994887, 2, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('password:Jl2XmMze3aUtmgGAa65HqC', 1994887, 1, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('sign-ins:CwlR1tvrrRSKbz0rFutAt6', 1994887, 3, 0, 1795400100000);

INSERT INTO public."RecoveryCode" VALUES ('2Cvpd7t3Yr6nWFlIVRe2I-Jd5v6GOPZ062YmkEEoGn0', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('SQKWd1ByaAr_wSp92WQi7dlAF1LEnRsM-P8ba9xticA', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('ZTJrC19u7lVD5taxUyIAewtj7EQDbEZLTEcv4kHndag', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('pKp06U_ys2U6FUQYXCWmpTgJExGnZ-xXTA4VK3uHiQM', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('26ksCHBd9-I2w1ynlK_MncI4qUjroIbAB9W63RZsMe0', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('K9iI_gAJdlHkls3kXhf9iKoS1oULnkzWBoW4Uzk5lHA', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('XpfmYq2729fDvrS1jn92Xff9bow3z5tthFOox1t_KaM', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('Hrkchsc_KrS_M8d4Z1tcr-S1_AaXmbV53hK4JFlI-2Q', '0ZjhBYeVnH_2lqnsq7tgdQ');
INSERT INTO public."RecoveryCode" VALUES ('p5fkzVnASC_2KTKmu5IrnZBXxWeWk0AgYhZAr7l30Zc', '0ZjhBYeVnH_2lqnsq7tgdQ');

INSERT INTO public."Session" VALUES ('UQmFHNmeGjyuR73ZkxXh1g', '0ZjhBYeVnH_2lqnsq7tgdQ', 0, 'pwd', NULL, 'Chrome on Windows', 1795399023000, 1796003823000);
INSERT INTO public."Session" VALUES ('MzVT7NdtIGLgNxJHQeAsZQ', '0ZjhBYeVnH_2lqnsq7tgdQ', 0, 'pwd', NULL, 'Chrome on Windows', 1795399023000, 1796003823000);
INSERT INTO public."Session" VALUES ('3KAYXU11WejTDyG3rhwAEg', '0ZjhBYeVnH_2lqnsq7tgdQ', 0, 'passkey', 'mST15xa2CGh0ZWrIk-IhcYpTmAsgqXWKhlGDQ7fzB9U', 'Chrome on Windows', 1795399023000, 1796003823000);
INSERT INTO public."Session" VALUES ('zEt1LPGEqQunsUCGUuWaOQ', '0ZjhBYeVnH_2lqnsq7tgdQ', 0, 'recovery', NULL, 'Chrome on Windows', 1795399024000, 1796003824000);

INSERT INTO public."SpentToken" VALUES ('MzVT7NdtIGLgNxJHQeAsZQ', 1796003883000);
INSERT INTO public."SpentToken" VALUES ('bFJ7XInEZOAlT0OF9DbfWA', 1795399683000);
INSERT INTO public."SpentToken" VALUES ('IboBJFHHp9rb2LmO4k1OTQ', 1795399683000);

INSERT INTO public."User" VALUES ('0ZjhBYeVnH_2lqnsq7tgdQ', 'ada', 'ada', '$2b$10$9wQktGcTws450/7tfwaOWuJVdRTLpKu8vpDgnfGz4epk.klZBPJ6O', 0, '2026-11-23 01:57:03.674', NULL, false);

INSERT INTO public._prisma_migrations VALUES ('e99e738f-0eca-4700-8f42-ad8aa3b45ff4', 'f165bb2c94ae72adbb62d9c7abd3beb329368e567eaab6434242c334caabfe0b', '2026-11-23 01:57:02.951224+00', '20261121000000_init', NULL, NULL, '2026-11-23 01:57:02.951224+00', 1);
INSERT INTO public._prisma_migrations VALUES ('65ad2a79-490e-46e4-ae42-b3e15175a022', '17b5e959738e69e73035b79889254f3bcfd6a06f15f12b55ecc33bee5c4a06bd', '2026-11-23 01:57:02.951224+00', '20261121040000_account', NULL, NULL, '2026-11-23 01:57:02.951224+00', 1);
INSERT INTO public._prisma_migrations VALUES ('6f1f965c-ced0-4ace-9d64-69c47c7c9842', 'b26282d835a37197dabd71c6dabb01dd903618e2dd8da5a2cbbc3b69f69cdc97', '2026-11-23 01:57:02.951224+00', '20261121120000_hardening', NULL, NULL, '2026-11-23 01:57:02.951224+00', 1);
INSERT INTO public._prisma_migrations VALUES ('05007e42-48b6-4389-9577-edacc01839c1', 'a701da47137cc21ec1a336ec44b97f925a6a3aa339428b2a96fdc96ff5cf4e11', '2026-11-23 01:57:02.951224+00', '20261121230000_operators', NULL, NULL, '2026-11-23 01:57:02.951224+00', 1);

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."FailureStreak"
    ADD CONSTRAINT "FailureStreak_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."RateLimit"
    ADD CONSTRAINT "RateLimit_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY (hash);

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."SpentToken"
    ADD CONSTRAINT "SpentToken_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

CREATE INDEX "Event_at_idx" ON public."Event" USING btree (at);

CREATE INDEX "Event_userId_kind_at_idx" ON public."Event" USING btree ("userId", kind, at);

CREATE INDEX "FailureStreak_expiresAt_idx" ON public."FailureStreak" USING btree ("expiresAt");

CREATE INDEX "Passkey_userId_idx" ON public."Passkey" USING btree ("userId");

CREATE INDEX "RateLimit_expiresAt_idx" ON public."RateLimit" USING btree ("expiresAt");

CREATE INDEX "RecoveryCode_userId_idx" ON public."RecoveryCode" USING btree ("userId");

CREATE INDEX "Session_expiresAt_idx" ON public."Session" USING btree ("expiresAt");

CREATE INDEX "Session_userId_idx" ON public."Session" USING btree ("userId");

CREATE INDEX "SpentToken_expiresAt_idx" ON public."SpentToken" USING btree ("expiresAt");

CREATE UNIQUE INDEX "User_usernameKey_key" ON public."User" USING btree ("usernameKey");

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

