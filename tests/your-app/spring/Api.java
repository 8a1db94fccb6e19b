package notes;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Api {
  public static void main(String[] args) {
    SpringApplication.run(Api.class, args);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http
        .authorizeHttpRequests(x -> x.anyRequest().authenticated())
        .oauth2ResourceServer(x -> x.jwt(withDefaults()))
        .csrf(x -> x.disable())
        .build();
  }

  @Bean
  JwtDecoder decoder(@Value("${latchkey.issuer}") String issuer, @Value("${latchkey.audience}") String audience) {
    var decoder = NimbusJwtDecoder.withIssuerLocation(issuer)
        .jwsAlgorithm(SignatureAlgorithm.ES256)
        // Below, as an access token's (RFC 9068); by default it would have to be JWT.
        .validateType(false)
        .build();
    decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(
        new JwtTypeValidator("at+jwt"),
        new JwtIssuerValidator(issuer),
        new JwtClaimValidator<List<String>>(JwtClaimNames.AUD, aud -> aud != null && aud.contains(audience))));
    return decoder;
  }

  @GetMapping("/api/me")
  Map<String, Object> me(@AuthenticationPrincipal Jwt token) {
    return Map.of("id", token.getSubject(), "username", token.getClaimAsString("preferred_username"));
  }
}
