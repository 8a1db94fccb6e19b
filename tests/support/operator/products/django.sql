-- Made by Django 3.2.25 on PostgreSQL 15.
CREATE TABLE public.auth_user (
    id integer NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    username character varying(150) NOT NULL,
    first_name character varying(150) NOT NULL,
    last_name character varying(150) NOT NULL,
    email character varying(254) NOT NULL,
    is_staff boolean NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.auth_user_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.auth_user_id_seq OWNED BY public.auth_user.id;
ALTER TABLE ONLY public.auth_user ALTER COLUMN id SET DEFAULT nextval('public.auth_user_id_seq'::regclass);
INSERT INTO public.auth_user VALUES (1, 'pbkdf2_sha256$260000$FPfwrmMUprLZK67R9Hd4HJ$J+OHJMK0LAJjGVY7tmxNdSxX9um2wJAp+XWavoDaD3g=', NULL, false, 'dora', '', '', '', false, true, '2026-11-22 00:50:38.806979+00');
INSERT INTO public.auth_user VALUES (2, 'bcrypt_sha256$$2b$12$hccUqAxSOW2xvhU0ISRmzOIsZWDrjIf1n.NO8Dv5nOHhJYxmAtYfm', NULL, false, 'dan', '', '', '', false, true, '2026-11-22 00:50:39.794801+00');
INSERT INTO public.auth_user VALUES (3, 'bcrypt$$2b$12$hay/.CIHyM7lymwmaj9cdeEKg4G.VUi/RN1K1V/FaKbci/YOimDpu', NULL, false, 'dee', '', '', '', false, true, '2026-11-22 00:50:41.472016+00');
INSERT INTO public.auth_user VALUES (4, '!H6YyP2PvXywW5nP0RlqLvGIsYBsPOw7g35VFEIko', NULL, false, 'unusable', '', '', '', false, true, '2026-11-22 00:50:42.980219+00');
ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_username_key UNIQUE (username);
CREATE INDEX auth_user_username_6821ab7c_like ON public.auth_user USING btree (username varchar_pattern_ops);
