SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public."Event" (
    id text NOT NULL,
    "userId" text NOT NULL,
    type text NOT NULL,
    method text,
    browser text,
    count integer DEFAULT 1 NOT NULL,
    at bigint NOT NULL
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
    type text DEFAULT 'public-key'::text NOT NULL
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
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
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

INSERT INTO public."Event" VALUES ('Wgl3Kiu7ci6xbeiFtCgQWQ', 'bRqYuoPkYgUuV7rDXtpNew', 'account_created', 'pwd', 'Chrome on Windows', 1, 1795399006215);
INSERT INTO public."Event" VALUES ('7UlpSSDRqBp_k2RCHn9ZbA', 'bRqYuoPkYgUuV7rDXtpNew', 'signed_in', 'pwd', 'Chrome on Windows', 1, 1795399006387);
INSERT INTO public."Event" VALUES ('v5P8JxlqHOS7Zc5vYRI0Tg', 'bRqYuoPkYgUuV7rDXtpNew', 'passkey_added', NULL, 'Chrome on Windows', 1, 1795399006442);
INSERT INTO public."Event" VALUES ('4HETKzgvFwBaAsgD-C7ebg', 'bRqYuoPkYgUuV7rDXtpNew', 'recovery_codes_made', NULL, 'Chrome on Windows', 1, 1795399006477);
INSERT INTO public."Event" VALUES ('FPFeyuxlDS0vnuMGH4X25w', 'bRqYuoPkYgUuV7rDXtpNew', 'signed_in', 'passkey', 'Chrome on Windows', 1, 1795399006558);
INSERT INTO public."Event" VALUES ('RngvhmKZKc5SvUClycvW5g', 'bRqYuoPkYgUuV7rDXtpNew', 'signed_in', 'recovery', 'Chrome on Windows', 1, 1795399006566);
INSERT INTO public."Event" VALUES ('bRqYuoPkYgUuV7rDXtpNew/signin_failed/498721', 'bRqYuoPkYgUuV7rDXtpNew', 'signin_failed', 'pwd', 'Chrome on Windows', 1, 1795399006629);

INSERT INTO public."Passkey" VALUES ('WIynWMNODmJsm6qKp_wsiSEGq9w9uQAjqbX2WkRcqjo', 'bRqYuoPkYgUuV7rDXtpNew', 'Passkey', '\xa5010203262001215820855e9b5eda751b86b589ee4c517f132e19538efe52ba88e0fe6fd1d546af0e1f225820a28157a6b4ac78681e9a64cb003d1dee1f749b0c905d15e55a0db5dda82a1b5b', 0, 'internal,hybrid', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', true, '2026-11-23 01:56:46.43', '2026-11-23 01:56:46.553', 'public-key');

INSERT INTO public."RateLimit" VALUES ('password:Bb_unZYmVs9LkBlRaLpn6R', 1994887, 1, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('address:Os6Je0Hqfy1MCEhTtU8DUz', 1994887, 2, 0, 1795400100000);

INSERT INTO public."RecoveryCode" VALUES ('VojQGiFeJMggqCVFjxOdJZvAoJJKC3tdqKMZxlXWFnk', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('P3LRJkC0FTk28IZ7gvAfP-oFL3YYFt3Wh7TGffUJ6LY', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('-B46ioV-jqVABUEBxOPyACbHE5fOV4I-q9bVNmP33KU', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('ODxd8T6xaiHQXMZyhifFPRnjNMe-rX9sewUPeMwtfN4', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('-unh-f0brGCqV7F-h-hmJkwt9FeGhmSW0DSNA6tfFU4', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('1ixkW-kWGf40zmw_yF6xvd7qRh54oriekkAI5JOHgkY', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('gKtjTU18mpWmIRERbKnwSAqtiFK13P3YN3S633a-Z6Y', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('wx7vquVQ-hzhnOXhDBzGshZiYgVQnHhT_X7gCwzEbiA', 'bRqYuoPkYgUuV7rDXtpNew');
INSERT INTO public."RecoveryCode" VALUES ('cXCjZDFLicexIXrs3ujQv6qJjo-8eBkYlPXtejiVh6w', 'bRqYuoPkYgUuV7rDXtpNew');

INSERT INTO public."SpentToken" VALUES ('wNnM9A09eA1YpYjeZU45Hg', 1796003866000);
INSERT INTO public."SpentToken" VALUES ('QB5X4GrpDHCFAqz6ZEWdDQ', 1795399666000);
INSERT INTO public."SpentToken" VALUES ('IVRWdlUghlR608EYc2rOfA', 1795399666000);

INSERT INTO public."User" VALUES ('bRqYuoPkYgUuV7rDXtpNew', 'ada', 'ada', '$2b$10$nh/Yfe/zOltHDz0ubHLhUe1.UASO6C3vyEAqPpYgEFYe2HOWD8ndC', 0, '2026-11-23 01:56:46.201');

INSERT INTO public._prisma_migrations VALUES ('0c46a5b7-9758-4a30-b82d-52a0086851e1', 'f165bb2c94ae72adbb62d9c7abd3beb329368e567eaab6434242c334caabfe0b', '2026-11-23 01:56:45.670469+00', '20261121000000_init', NULL, NULL, '2026-11-23 01:56:45.670469+00', 1);
INSERT INTO public._prisma_migrations VALUES ('eb42bb34-defa-45f9-b3fc-0d38788f6e52', '17b5e959738e69e73035b79889254f3bcfd6a06f15f12b55ecc33bee5c4a06bd', '2026-11-23 01:56:45.670469+00', '20261121040000_account', NULL, NULL, '2026-11-23 01:56:45.670469+00', 1);

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."RateLimit"
    ADD CONSTRAINT "RateLimit_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY (hash);

ALTER TABLE ONLY public."SpentToken"
    ADD CONSTRAINT "SpentToken_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

CREATE INDEX "Event_at_idx" ON public."Event" USING btree (at);

CREATE INDEX "Event_userId_at_idx" ON public."Event" USING btree ("userId", at);

CREATE INDEX "Passkey_userId_idx" ON public."Passkey" USING btree ("userId");

CREATE INDEX "RateLimit_expiresAt_idx" ON public."RateLimit" USING btree ("expiresAt");

CREATE INDEX "RecoveryCode_userId_idx" ON public."RecoveryCode" USING btree ("userId");

CREATE INDEX "SpentToken_expiresAt_idx" ON public."SpentToken" USING btree ("expiresAt");

CREATE UNIQUE INDEX "User_usernameKey_key" ON public."User" USING btree ("usernameKey");

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

